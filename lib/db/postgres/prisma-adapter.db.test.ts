import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { createDatabase } from "./client.ts";
import { createSqlDatabase } from "./sql-database.ts";

const { url, drop } = await createTestDatabase();
const name = new URL(url).pathname.slice(1);
const client = new Client({ connectionString: url });
await client.connect();
await client.query(`alter database ${name} set timezone = 'Asia/Kathmandu'`);
await client.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
await client.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
await client.end();
const connection = { url, poolSize: 1, applicationName: "test" };
const db = createSqlDatabase(connection);
const models = createDatabase(connection);
afterAll(async () => {
  await db.$disconnect();
  await models.$disconnect();
  await drop();
});

test("times are read correctly from a server with another time zone and date order", async () => {
  const at = new Date("2026-11-22T23:59:58.765Z");
  for (const database of [db, models]) {
    const rows = await database.$queryRaw<{ at: Date }[]>`select ${at}::timestamptz as at`;
    expect(rows).toEqual([{ at }]);
  }
});

test("transactions are READ COMMITTED, whatever the server's default", async () => {
  for (const database of [db, models]) {
    const rows =
      await database.$queryRaw`select current_setting('transaction_isolation') as isolation`;
    expect(rows).toEqual([{ isolation: "read committed" }]);
  }
});

test("a transaction waits for a connection longer than Prisma's 2 s", {
  tags: "variant",
}, async () => {
  const busy = createDatabase({ ...connection, connectTimeoutMs: 20_000 });
  const first = busy.$transaction((tx) => tx.$queryRaw`select 1 from pg_sleep(2.2)`);
  const second = busy.$transaction((tx) => tx.$queryRaw`select 2 as two`);
  expect(await Promise.all([first, second])).toEqual([[expect.anything()], [{ two: 2 }]]);
  await busy.$disconnect();
});
