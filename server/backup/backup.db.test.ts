import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { describeDatabase, listTables } from "./describe-database.ts";
import { quoteName } from "./format.ts";
import { withBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const folder = mkdtempSync(join(tmpdir(), "catchment-backup-"));
const [accountId, hookId, actionId] = [newId(), newId(), newId()];
const secretKey = "the secret key of this installation";
const targets: TestDatabase[] = [];
let source: TestDatabase;
let files = 0;

beforeAll(async () => {
  source = await createTestDatabase();
  await withConnection(source.url, fill);
});
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop();
});
afterAll(async () => {
  await source?.drop();
  rmSync(folder, { recursive: true });
});

/** Text that COPY has to escape, and bytes that are no text. */
const oddText = 'tab\t line\n return\r back\\slash \\N \\. "quotes" ünïcödé 𝒳 €';
const oddBytes = Buffer.from([...Array(256).keys(), 0, 10, 92, 46, 10]);

async function fill(client: Client): Promise<void> {
  await client.query("insert into seal_check (key_id) values ($1)", [deriveSealKey(secretKey).id]);
  await client.query("insert into accounts (id, slug, name) values ($1, 'main', $2)", [
    accountId,
    oddText,
  ]);
  await client.query(
    `insert into hooks (id, account_id, key, name, provider, methods, verification) values
      ($1, $2, 'key', $3, 'generic', '{POST,"a,b"}', '{"n": 1.10000000000000000001, "n": 2}')`,
    [hookId, accountId, oddText],
  );
  await client.query(
    "insert into actions (id, account_id, hook_id, name, request, timeout_ms) values ($1, $2, $3, '', '{}', 5000)",
    [actionId, accountId, hookId],
  );
  await client.query("insert into workers (name) values ('a'), ('b'), ('c')");
  await client.query("insert into target_rates values ($1, now() + interval '1 microsecond')", [
    actionId,
  ]);
  for (const weeksAgo of [0, 1, 30]) await addDeliveries(client, 300, weeksAgo);
  await client.query(
    `insert into bulk_jobs (id, account_id, kind, filter, seen_before) values ($1, $2, 'retry', '{}', $1)`,
    [newId(), accountId],
  );
}

/** Each delivery in one statement with its key and its run, as catch stores them. */
async function addDeliveries(client: Client, count: number, weeksAgo: number): Promise<void> {
  await client.query(
    `with stored as (
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        verification_outcome, source_ip)
      select uuid_v7_at(now() - $3 * interval '7 days'), $1, $2, 'accepted', now(), 'POST', $4, '', '[["a","\\u0000"]]',
        octet_length($5::bytea), $5, 'verified', '127.0.0.1' from generate_series(1, $6)
      returning id
    ), keys as (
      insert into dedupe_keys (key, delivery_id) select gen_random_uuid(), id from stored
    )
    insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at)
    select run_id(id, 0), $1, $7, $2, id, now() from stored`,
    [accountId, hookId, weeksAgo, oddText, oddBytes, count, actionId],
  );
}

/** The contents of every table, independent of the order of rows. */
async function readContent(url: string, leaveOut: readonly string[] = []) {
  return await withConnection(url, async (client) => {
    await client.query("set timezone = 'UTC'");
    const content: Record<string, unknown> = {};
    for (const name of await listTables(client)) {
      if (leaveOut.includes(name)) continue;
      const { rows } = await client.query(
        `select count(*)::int, md5(string_agg(md5(t::text), '' order by t::text)) from ${quoteName(name)} t`,
      );
      content[name] = rows[0];
    }
    const { sequences } = await describeDatabase(client, new Date(0));
    return { content, sequences };
  });
}

async function backUp(key: { secretKey: string; passphrase: string } | null = null) {
  files += 1;
  const path = join(folder, `${files}.tar`);
  const written = await withConnection(source.url, (client) =>
    writeBackup({ client, path, now: new Date(), key }),
  );
  return { path, ...written };
}

async function createTarget(): Promise<string> {
  const target = await createTestDatabase({ empty: true });
  targets.push(target);
  return target.url;
}

async function restore(path: string, url: string, continueRuns = true) {
  return await withBackup(path, (backup) => restoreBackup({ url, backup, continueRuns }));
}

test("a restored database has the same rows, sequences, and partitions", async () => {
  const { path, manifest } = await backUp();
  const url = await createTarget();
  const restored = await restore(path, url);
  expect(restored).toEqual({ manifest, heldRuns: 0, appliedLater: [] });
  expect(await readContent(url)).toEqual(await readContent(source.url));
  expect(manifest.tables.find(({ name }) => name === "deliveries")?.rows).toBe(900);
  const weeks = (database: string) =>
    withConnection(database, async (client) => (await describeDatabase(client, new Date())).weeks);
  expect(await weeks(url)).toEqual(await weeks(source.url));
  // The next worker gets the next number.
  await withConnection(url, async (client) => {
    const { rows } = await client.query("insert into workers (name) values ('d') returning id");
    expect(rows).toEqual([{ id: 4 }]);
    const { rows: off } = await client.query(
      "select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'",
    );
    expect(off).toEqual([]);
  });
});

test("open runs of the backup are held for a decision, with the reason, and jobs are paused", async () => {
  const { path } = await backUp();
  const url = await createTarget();
  expect(await restore(path, url, false)).toMatchObject({ heldRuns: 900 });
  await withConnection(url, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from queue) as open, count(*)::int as held, min(reason_detail) as detail,
        (select status from bulk_jobs) as job from runs where state = 'cancelled' and reason_code = 'restored'`,
    );
    expect(rows).toEqual([
      {
        open: 0,
        held: 900,
        job: "paused",
        detail: expect.stringMatching(/^Restored from a backup/),
      },
    ]);
  });
  const changed = ["queue", "runs", "bulk_jobs"];
  expect(await readContent(url, changed)).toEqual(await readContent(source.url, changed));
});

test("a backup under load is one moment: no delivery without its key and its run", async () => {
  const stopped = new AbortController();
  const writer = new Client({ connectionString: source.url });
  await writer.connect();
  let stored = 0;
  const writing = (async () => {
    while (!stopped.signal.aborted) {
      await addDeliveries(writer, 5, stored % 3);
      stored += 5;
    }
  })();
  const { path, manifest } = await backUp();
  const during = stored;
  stopped.abort();
  await writing;
  await writer.end();
  const rowsOf = (table: string) => manifest.tables.find(({ name }) => name === table)?.rows;
  expect(during).toBeGreaterThan(0);
  expect(rowsOf("dedupe_keys")).toBe(rowsOf("deliveries"));
  expect(rowsOf("queue")).toBe(rowsOf("deliveries"));
  const url = await createTarget();
  await restore(path, url);
  await withConnection(url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int from deliveries d
       left join dedupe_keys k on k.delivery_id = d.id left join queue q on q.delivery_id = d.id
       where k.key is null or q.id is null`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

test("a database with rows and an existing file are never overwritten", async () => {
  const { path } = await backUp();
  const before = await readContent(source.url);
  await expect(restore(path, source.url)).rejects.toThrow(
    /The database isn't empty \(\w+ has rows\)/,
  );
  expect(await readContent(source.url)).toEqual(before);
  await expect(
    withConnection(source.url, (client) =>
      writeBackup({ client, path, now: new Date(), key: null }),
    ),
  ).rejects.toThrow(/exists already/);
});

test("of two backups to one name at once, one is whole, and the other says that the file exists", {
  tags: "variant",
}, async () => {
  const path = join(folder, "twice.tar");
  const write = () =>
    withConnection(source.url, (client) =>
      writeBackup({ client, path, now: new Date(), key: null }),
    );
  const outcomes = await Promise.allSettled([write(), write()]);
  const [written, ...others] = outcomes.flatMap((one) =>
    one.status === "fulfilled" ? [one.value] : [],
  );
  const [error] = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect([error, others.length]).toEqual([
    new StartError(`${path} exists already: choose another name.`),
    0,
  ]);
  const target = await createTarget();
  expect((await restore(path, target)).manifest).toEqual(written?.manifest);
  expect(readdirSync(folder).filter((name) => name.includes("twice"))).toEqual(["twice.tar"]);
});

test("a damaged or cut backup restores nothing, and the whole one can be restored after it", {
  tags: "variant",
}, async () => {
  const { path } = await backUp();
  const bytes = readFileSync(path);
  const damaged = join(folder, "damaged.tar");
  const url = await createTarget();
  const step = Math.ceil(bytes.length / 12);
  for (let at = 700; at < bytes.length - 2_048; at += step) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 32;
    writeFileSync(damaged, changed);
    await expect(restore(damaged, url), `changed at ${at}`).rejects.toThrow(StartError);
    writeFileSync(damaged, bytes.subarray(0, at));
    await expect(restore(damaged, url), `cut at ${at}`).rejects.toThrow(/isn't a whole backup/);
  }
  await restore(path, url);
  expect(await readContent(url)).toEqual(await readContent(source.url));
});

test("the secret key is in a backup only if asked for, and opens with its passphrase only", {
  tags: "variant",
}, async () => {
  const without = await backUp();
  expect(await withBackup(without.path, (backup) => backup.readKey("a passphrase"))).toBeNull();
  const { path } = await backUp({ secretKey, passphrase: "a passphrase" });
  expect(readFileSync(path).includes(secretKey)).toBe(false);
  expect(await withBackup(path, (backup) => backup.readKey("a passphrase"))).toBe(secretKey);
  await expect(withBackup(path, (backup) => backup.readKey("a passphrasf"))).rejects.toThrow(
    /passphrase doesn't open/,
  );
});
