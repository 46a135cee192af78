import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { inject } from "vitest";

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * A fresh database with every migration applied, cloned from the template that the `db` project's
 * global setup created (about 50 ms). Call it once per test file, and `drop` it in `afterAll` after
 * closing all connections.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { url, create, drop } = nameTestDatabase(options);
  await create();
  return { url, drop };
}

/** A database whose URL is known before it is there. */
export function nameTestDatabase({ empty = false } = {}) {
  const url = new URL(inject("testTemplateUrl"));
  const template = empty ? "template1" : url.pathname.slice(1);
  const name = `test_${randomBytes(8).toString("hex")}`;
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    // Copying files takes half the processor time of logging every page, and keeps what the template's
    // first connection learned about its tables.
    create: () =>
      runOnServer(
        `create database ${name} template ${template} owner ${url.username} strategy file_copy`,
      ),
    drop: () => dropDatabase(name),
  };
}

/** Waits for connections that are being closed. One that stays open is a fault of the test. */
async function dropDatabase(name: string): Promise<void> {
  await withServer(async (client) => {
    const deadline = performance.now() + maxCloseMs;
    while (true) {
      const { rows: open } = await client.query(
        `select application_name, state, state_change::text, left(query, 300) as query
         from pg_stat_activity where datname = $1`,
        [name],
      );
      if (open.length === 0) break;
      if (performance.now() > deadline)
        throw new Error(`Close the test's connections: ${JSON.stringify(open)} are still open.`);
      await delay(closeWaitMs);
    }
    await client.query(`drop database if exists ${name} with (force)`);
  });
}

const closeWaitMs = 20;
const maxCloseMs = 120_000;

/** Runs a statement from another database: a template with open connections can't be cloned. */
async function runOnServer(sql: string): Promise<void> {
  await withServer((client) => client.query(sql));
}

async function withServer(use: (client: Client) => Promise<unknown>): Promise<void> {
  const url = new URL(inject("testAdminUrl"));
  url.pathname = "/postgres";
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
