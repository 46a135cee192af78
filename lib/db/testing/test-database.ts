import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * A fresh database with every migration applied, cloned from the template that the `db` project's
 * global setup created (about 50 ms). Call it once per test file, and `drop` it in `afterAll` after
 * closing all connections.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const templateUrl = new URL(inject("testTemplateUrl"));
  const template = options.empty === true ? "template1" : templateUrl.pathname.slice(1);
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runOnServer(`create database ${name} template ${template} owner ${templateUrl.username}`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: () => runOnServer(`drop database if exists ${name} with (force)`),
  };
}

/** Runs a statement from another database: a template with open connections can't be cloned. */
async function runOnServer(sql: string): Promise<void> {
  const url = new URL(inject("testAdminUrl"));
  url.pathname = "/postgres";
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
