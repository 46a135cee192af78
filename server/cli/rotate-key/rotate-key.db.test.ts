import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Client } from "pg";
import { beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import {
  openSealedValues,
  openText,
  sealText,
  sealValue,
} from "#lib/core/people/redact/sealed-value.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import {
  deliveryHeadersPlace,
  idempotentResponsePlace,
} from "#lib/core/people/seal/seal-places.ts";
import { sealedColumns } from "#lib/core/people/seal/sealed-columns.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { projectRoot } from "#server/system/paths.ts";
import { withAccount } from "../configuration/open-account.ts";
import { resealAll } from "./reseal.ts";

const [oldKey, newKey] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const [oldId, newSealId] = [deriveSealKey(oldKey).id, deriveSealKey(newKey).id];
const change = { newKey, oldKey };
let database: TestDatabase;
let db: SqlDatabase;
let expected: Map<string, string>;

beforeEach(async () => {
  database = await createTestDatabase();
  db = createSqlDatabase({ url: database.url, poolSize: 1, applicationName: "test" });
  expected = new Map();
  const url = Object.assign(new URL(inject("testAdminUrl")), {
    pathname: new URL(database.url).pathname,
  });
  await withConnection(url.toString(), fill);
  return async () => {
    await db.$disconnect();
    await database.drop();
  };
});

const sealer = openSealer(oldKey);
const secretHeader = "Bearer hunter2 ü";
const response = '{"secret":"whsec_ü"}';

/** Rows in every table with sealed values, more than a batch in one of them. */
async function fill(client: Client): Promise<void> {
  // References and the values that a column allows don't matter here.
  await client.query("set session_replication_role = replica");
  await client.query(`do $$ declare one record; begin
    for one in select conrelid::regclass as name, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace and coninhcount = 0
    loop execute format('alter table %s drop constraint %I', one.name, one.conname); end loop;
  end $$`);
  await client.query("insert into seal_check (key_id) values ($1)", [oldId]);
  const tables = Map.groupBy(sealedColumns, ({ table }) => table);
  for (const [table, columns] of tables) {
    const count = table === "hook_secrets" ? 450 : 3;
    for (let made = 0; made < count; made += 1) {
      const row = await makeRow(client, table);
      for (const { column, place } of columns) {
        const secret = `${table}.${column} ${made}`;
        const sealed = sealer.seal(Buffer.from(secret), place(toText(row)));
        row[column] = sealed;
        expected.set(`${table}.${column} ${keyOf(table, row)}`, secret);
      }
      await insert(client, table, row);
    }
  }
  const accountId = newId();
  const body = sealText(sealer, response, idempotentResponsePlace(accountId, "first"));
  await insert(client, "idempotency_keys", {
    ...{ account_id: accountId, key: "first", request_hash: Buffer.of(1), status: 201, body },
  });
  const hookId = newId();
  await insert(client, "hooks", { ...(await makeRow(client, "hooks")), id: hookId });
  for (let made = 0; made < 3; made += 1) {
    const id = newId();
    const value = sealValue(
      sealer,
      Buffer.from(secretHeader).toString("latin1"),
      deliveryHeadersPlace({ id, accountId }),
    );
    await client.query(
      `insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        verification_outcome, source_ip)
      values ($1, $2, $3, 'pending', now(), 'POST', '', $4, $5, 0, '', 'pending', '127.0.0.1')`,
      [id, accountId, hookId, `key=${value}&n=1`, JSON.stringify([["Authorization", value]])],
    );
  }
}

type Row = Record<string, unknown>;

const neededSql = `select column_name as name, udt_name as type from information_schema.columns
  where table_schema = 'public' and table_name = $1
    and (is_nullable = 'NO' and column_default is null or column_name = 'request')`;
/** By table. Reading them takes longer than adding a row. */
const needed = new Map<string, readonly { name: string; type: string }[]>();

/** A value for each column that needs one. */
async function makeRow(client: Client, table: string): Promise<Row> {
  const columns = needed.get(table) ?? (await client.query(neededSql, [table])).rows;
  needed.set(table, columns);
  return Object.fromEntries(columns.map(({ name, type }) => [name, examples[type]?.()]));
}

const examples: Readonly<Record<string, () => unknown>> = {
  uuid: newId,
  text: () => randomBytes(4).toString("hex"),
  bool: () => true,
  int4: () => 1,
  int8: () => 1,
  json: () => "{}",
  bytea: () => Buffer.of(1),
  timestamptz: () => new Date(),
  _text: () => [],
};

async function insert(client: Client, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((_name, index) => `$${index + 1}`);
  await client.query(
    `insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`,
    Object.values(row),
  );
}

function toText(row: Row): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? value : null]),
  );
}

function keyOf(table: string, row: Row): string {
  const column = sealedColumns.find((one) => one.table === table);
  return (column?.keys ?? []).map((key) => row[key]).join(" ");
}

/** Every sealed value that this key alone opens. */
async function openAll(key: string) {
  const only = openSealer(key);
  const opened = new Map<string, string>();
  const deliveries: string[] = [];
  const responses: (string | null)[] = [];
  await withConnection(database.url, async (client) => {
    for (const { table, column, place } of sealedColumns) {
      const { rows } = await client.query<Row>(
        `select * from ${table} where ${column} is not null`,
      );
      for (const row of rows) {
        const value = only.open(row[column] as Buffer, place(toText(row)));
        if (value.ok)
          opened.set(
            `${table}.${column} ${keyOf(table, row)}`,
            Buffer.from(value.plaintext).toString(),
          );
      }
    }
    const { rows } = await client.query<{ id: string; account_id: string; text: string }>(
      "select id, account_id, headers::text || query as text from deliveries",
    );
    for (const { id, account_id: accountId, text } of rows)
      deliveries.push(openSealedValues(only, text, deliveryHeadersPlace({ id, accountId })));
    const stored = await client.query<{ account_id: string; key: string; body: string }>(
      "select * from idempotency_keys",
    );
    for (const { account_id: accountId, key: ofRequest, body } of stored.rows)
      responses.push(openText(only, body, idempotentResponsePlace(accountId, ofRequest)));
  });
  return { opened, deliveries, responses };
}

async function runCommand(env: Record<string, string>) {
  const child = spawn(process.execPath, ["server/cli/catchment-server.ts", "rotate-key"], {
    cwd: projectRoot,
    env: { ...process.env, DATABASE_URL: database.url, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  await once(child, "close");
  return { status: child.exitCode, output };
}

const bothKeys = { CATCHMENT_SECRET_KEY: newKey, CATCHMENT_PREVIOUS_SECRET_KEY: oldKey };

test("everything opens with the new key alone, and the old one is refused", async () => {
  const { status, output } = await runCommand(bothKeys);
  expect(output).toContain(`Sealed ${expected.size + 4} values with the new key`);
  expect(status).toBe(0);
  const { opened, deliveries, responses } = await openAll(newKey);
  expect(opened).toEqual(expected);
  const latin1 = Buffer.from(secretHeader).toString("latin1");
  expect(deliveries).toEqual(Array(3).fill(`[["Authorization","${latin1}"]]key=${latin1}&n=1`));
  expect(responses).toEqual([response]);
  expect((await openAll(oldKey)).opened.size).toBe(0);
  // Starting with the old key again, even with the new one as its previous, is refused.
  for (const env of [
    { CATCHMENT_SECRET_KEY: oldKey },
    { CATCHMENT_SECRET_KEY: oldKey, CATCHMENT_PREVIOUS_SECRET_KEY: newKey },
  ]) {
    const { prepareDatabase } = await import("#server/database/prepare-database.ts");
    await expect(
      prepareDatabase({ ...process.env, DATABASE_URL: database.url, ...env }),
    ).rejects.toThrow(/was replaced by rotate-key/);
  }
  // Running it again finds nothing to do.
  expect((await runCommand(bothKeys)).output).toContain("Sealed 0 values");
});

test("interrupted, it continues, and both keys open everything", { tags: "variant" }, async () => {
  for (const statements of [1, 7, 40, 300]) {
    let left = statements;
    const interrupted: SqlDatabase = {
      ...db,
      $executeRaw: async (query, ...values) => {
        left -= 1;
        if (left < 0) throw new Error("interrupted");
        return await db.$executeRaw(query, ...values);
      },
    };
    await expect(resealAll(interrupted, change)).rejects.toThrow("interrupted");
    const [byOld, byNew] = [await openAll(oldKey), await openAll(newKey)];
    expect(new Map([...byOld.opened, ...byNew.opened])).toEqual(expected);
  }
  await resealAll(db, change);
  expect((await openAll(newKey)).opened).toEqual(expected);
});

test("values that no key opens are counted and left as they were", async () => {
  await withConnection(database.url, (client) =>
    client.query("update credentials set ciphertext = set_byte(ciphertext, 40, 0) || '\\x00'"),
  );
  // Without these three, and with the deliveries and the response.
  const count = expected.size - 3 + 4;
  expect(await resealAll(db, change)).toEqual({ count, unreadable: 3 });
});

test("who still seals with the old key is named and waited for", { tags: "variant" }, async () => {
  const stale = new Client({
    connectionString: database.url,
    application_name: `catchment web ${oldId}`,
  });
  await stale.connect();
  const { status, output } = await runCommand(bothKeys);
  expect([status, output]).toEqual([
    1,
    expect.stringContaining("Still without the new key: catchment web"),
  ]);
  expect((await openAll(newKey)).opened.size).toBe(0);
  await stale.end();
  const fresh = new Client({
    connectionString: database.url,
    application_name: `catchment worker lock ${newSealId}`,
  });
  await fresh.connect();
  expect((await runCommand(bothKeys)).status).toBe(0);
  await fresh.end();
});

test("a second rotation at the same time changes nothing", async () => {
  await withConnection(database.url, async (first) => {
    await first.query("select pg_advisory_lock(hashtext('rotate_key'))");
    const { status, output } = await runCommand(bothKeys);
    expect([status, output]).toEqual([1, expect.stringContaining("Another rotate-key is running")]);
  });
  expect((await openAll(newKey)).opened.size).toBe(0);
});

test("an import that still seals with the old key is waited for", async () => {
  vi.stubGlobal("catchmentThreadScript", undefined);
  // Not in the next file, which has set its own.
  onTestFinished(() => void vi.unstubAllGlobals());
  await db.$executeRaw`insert into accounts (id, slug, name) values (gen_random_uuid(), 'main', 'Main')`;
  const parsed = parseEnv({ DATABASE_URL: database.url, CATCHMENT_SECRET_KEY: oldKey });
  if (!parsed.ok) throw new Error("The environment is valid");
  const input = {
    ...{ operands: [], values: { account: "main" }, readEnv: () => parsed.env },
    output: { result: () => {}, note: () => {} },
  };
  const { output } = await withAccount(input, () => runCommand(bothKeys));
  expect(output).toContain("Still without the new key: catchment configuration");
});

test("without a previous key, it says what to set", { tags: "variant" }, async () => {
  const { status, output } = await runCommand({ CATCHMENT_SECRET_KEY: oldKey });
  expect(status).toBe(1);
  expect(output).toContain("Set CATCHMENT_PREVIOUS_SECRET_KEY to the present key");
});
