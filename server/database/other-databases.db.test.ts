import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { StartError } from "#server/system/start-error.ts";
import { withConnection } from "./database-connection.ts";
import { prepareDatabase } from "./prepare-database.ts";

let database: TestDatabase;
let name: string;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  name = new URL(database.url).pathname.slice(1);
});
afterAll(() => database.drop());

function query(sql: string, url = database.url): Promise<Record<string, unknown>[]> {
  return withConnection(url, async (client) => (await client.query(sql)).rows);
}

function urlWith(change: { search?: string; pathname?: string; password?: string }): string {
  return Object.assign(new URL(database.url), change).toString();
}

function prepare(url: string) {
  return prepareDatabase({
    ...process.env,
    DATABASE_URL: url,
    CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
  });
}

const countTables = `select relnamespace::regnamespace::text as schema, count(*)::int > 50 as has_all
  from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'shop') group by 1`;

test("another schema than public is named in the URL, and has all tables", {
  tags: "variant",
}, async () => {
  const url = urlWith({ search: "?schema=shop" });
  await expect(prepare(url)).rejects.toThrow(/has no schema shop .*: create it with/);
  await query(`create schema shop; alter database ${name} set search_path = shop, public`);
  // Prisma's models would look in `public`, and everything else in `shop`.
  await expect(prepare(database.url)).rejects.toThrow(
    /would be in the schema shop \(search_path\), not in public: add schema=shop to DATABASE_URL/,
  );
  expect(await query(countTables)).toEqual([]);
  await query(`alter database ${name} reset search_path`);
  expect((await prepare(url)).applied.length).toBeGreaterThan(50);
  expect((await prepare(url)).applied).toEqual([]);
  expect(await query(countTables)).toEqual([{ schema: "shop", has_all: true }]);
  const db = createDatabase({ url, poolSize: 2, applicationName: "schema" });
  expect([await db.hook.count(), await db.$queryRaw`select 1 as one from hooks`]).toEqual([0, []]);
  await db.$disconnect();
});

test("a database with another encoding than UTF8 is rejected before anything is migrated", async () => {
  const latin = `${name}_latin`;
  await query(
    `create database ${latin} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
  );
  const url = urlWith({ pathname: latin });
  await expect(prepare(url)).rejects.toThrow(
    new StartError(
      "The database is encoded in LATIN1, and Catchment needs UTF8: create another one with createdb --template=template0 --encoding=UTF8.",
    ),
  );
  expect(await query(countTables, url)).toEqual([]);
  await query(`drop database ${latin}`);
});

test("a password may have any characters, as long as they are escaped", async () => {
  const password = `a#b?c%d/e'f"g@h:i jü%3F\\`;
  const role = `escaped_${name}`;
  await query(`create role ${role} login password ${quote(password)}`);
  const url = new URL(database.url);
  const host = `${role}:${encodeURIComponent(password)}@${url.host}${url.pathname}`;
  // The space in the query made the driver escape the whole URL a second time.
  for (const search of ["", "?options=-c statement_timeout=5000", "?options=-c%20work_mem%3D5MB"])
    expect(
      await query("select current_user::text as role", `postgresql://${host}${search}`),
    ).toEqual([{ role }]);
  await query(`drop role ${role}`);
});

function quote(text: string): string {
  return `e'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
