import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { checkDatabase } from "./check-database.ts";
import { withConnection } from "./database-connection.ts";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

const migrations = readMigrations(migrationsFolder);
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
});

afterEach(async () => {
  await database.drop();
});

function run(list: readonly Migration[] = migrations): Promise<readonly string[]> {
  return withConnection(database.url, (client) =>
    migrate({ url: database.url, client, migrations: list }),
  );
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return withConnection(
    database.url,
    async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
  );
}

test("an empty database gets every migration, and a second run applies none", async () => {
  expect(await run()).toEqual(migrations.map(({ name }) => name));
  expect(await run()).toEqual([]);
});

test("concurrent starts take turns: each migration is applied by one of them", async () => {
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
});

test("a database with an unknown migration is rejected", async () => {
  await run();
  const older = migrations.slice(0, -1);
  await expect(run(older)).rejects.toThrow(/newer than this version of Catchment/);
});

test("a migration that was changed after it was applied is rejected by name, whatever its line endings", async () => {
  await run();
  const [first, ...rest] = migrations;
  const change = (sql: string) => [{ name: first?.name ?? "", sql }, ...rest];
  expect(await run(change((first?.sql ?? "").replaceAll("\n", "\r\n")))).toEqual([]);
  await expect(run(change(`${first?.sql} -- and more`))).rejects.toThrow(
    `changed since: ${first?.name}. Restore the file`,
  );
});

test("an installation without checksums gets them at its first start and is checked from then on", {
  tags: "variant",
}, async () => {
  await run();
  const checksums = "select migration_name, checksum from _prisma_migrations order by 1";
  const before = await query(checksums);
  await query("update _prisma_migrations set checksum = ''");
  expect(await run()).toEqual([]);
  expect(await query(checksums)).toEqual(before);
});

test("a migration that was killed halfway is applied by the next start", async () => {
  await run();
  const next: Migration = { name: "29990101000000_next", sql: "create table next_thing (id int);" };
  await query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
     values ('x', 'x', '${next.name}', now(), 0)`,
  );
  expect(await run([...migrations, next])).toEqual([next.name]);
  expect(await query("select to_regclass('next_thing') is not null as made")).toEqual([
    { made: true },
  ]);
});

test("a failed migration leaves nothing behind and reports what is wrong", async () => {
  await run();
  const broken: Migration = {
    name: "29990101000000_broken",
    sql: "create table half (id int); select nonsense;",
  };
  await expect(run([...migrations, broken])).rejects.toThrow(/nonsense/);
  expect(await query("select to_regclass('half') is null as gone")).toEqual([{ gone: true }]);
  const fixed = { ...broken, sql: "create table half (id int);" };
  expect(await run([...migrations, fixed])).toEqual([broken.name]);
});

test("a semicolon in a comment or function body doesn't split a migration", async () => {
  await run();
  const sql = `-- one; two
    create function seven() returns int language plpgsql as $$ begin perform 1; return 7; end $$;`;
  await run([...migrations, { name: "29990101000000_function", sql }]);
  expect(await query("select seven()")).toEqual([{ seven: 7 }]);
});

test("a database whose commits don't survive a power cut is rejected", async () => {
  await withConnection(database.url, checkDatabase);
  const name = new URL(database.url).pathname.slice(1);
  await query(`alter database ${name} set synchronous_commit = off`);
  await expect(withConnection(database.url, checkDatabase)).rejects.toThrow(
    /synchronous_commit is off/,
  );
});

test.each([
  ["pglz", 1],
  ["on", 1],
  ["off", 0],
  ["lz4", 0],
])("with wal_compression %s, the check gives %i warnings", async (setting, count) => {
  await viewSetting("wal_compression", setting);
  const warnings = await withConnection(database.url, checkDatabase);
  const change = "alter system set wal_compression = off; select pg_reload_conf();";
  expect(warnings).toEqual(
    [{ event: "database.wal_compression", fields: { setting, change } }].slice(0, count),
  );
});

test("a user who may not create tables gets a clear error before anything is tried", async () => {
  const role = `closed_${new URL(database.url).pathname.slice(1)}`;
  await query(`create role ${role} login password 'closed'`);
  const url = Object.assign(new URL(database.url), {
    username: role,
    password: "closed",
  }).toString();
  try {
    await expect(withConnection(url, checkDatabase)).rejects.toThrow(
      `user ${role} may not create tables in the schema public: make that user the owner`,
    );
    await query(`grant create on schema public to ${role}`);
    await withConnection(url, checkDatabase);
  } finally {
    await query(`grant ${role} to current_user`);
    await query(`drop owned by ${role}`);
    await query(`drop role ${role}`);
  }
});

test.each([
  ["fsync", "off", /fsync is off/],
  ["full_page_writes", "off", /full_page_writes is off/],
  ["server_version_num", "140012", /needs 15 or newer/],
  ["transaction_read_only", "on", /is read-only/],
])("a database whose %s is %s is rejected", async (name, setting, sentence) => {
  await viewSetting(name, setting);
  await expect(withConnection(database.url, checkDatabase)).rejects.toThrow(sentence);
});

/** Server-wide settings are not ours to change: this database's own view takes precedence. */
async function viewSetting(name: string, setting: string): Promise<void> {
  const databaseName = new URL(database.url).pathname.slice(1);
  await query(`alter database ${databaseName} set search_path = public, pg_catalog`);
  await query(
    `create view pg_settings as select name, case when name = '${name}' then '${setting}' else setting end as setting
     from pg_catalog.pg_settings`,
  );
}

test.each([
  ["port 1", { port: "1", search: "" }, /can't be reached \(ECONNREFUSED\)/],
  [
    "a socket that isn't there",
    { search: "?host=/nowhere" },
    /database at \/nowhere can't be reached \(ENOENT\)/,
  ],
  ["a wrong password", { password: "canary" }, /does not let the user catchment_app in/],
  ["a wrong name", { pathname: "/nowhere" }, /no database nowhere/],
])("%s is one sentence without the password", async (_name, change, sentence) => {
  const url = Object.assign(new URL(database.url), change);
  const failure = await withConnection(url.toString(), async () => undefined).catch(
    (error: unknown) => error,
  );
  expect(String(failure)).toMatch(sentence);
  expect(String(failure)).not.toContain(url.password);
});
