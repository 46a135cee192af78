import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { prepareDatabase } from "./prepare-database.ts";

const { url, drop } = await createTestDatabase();
const client = new Client({ connectionString: url });
await client.connect();
afterAll(async () => {
  await client.end();
  await drop();
});

it("a server that was off for months has its weeks before it stores anything", async () => {
  const weeks = `select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('deliveries'::regclass, 'attempts'::regclass) and inhrelid::regclass::text ~ '\\d{8}$'`;
  for (const { name } of (await client.query(weeks)).rows) await client.query(`drop table ${name}`);
  await prepareDatabase({
    ...process.env,
    DATABASE_URL: url,
    CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
  });
  // This week and the next four, of both tables.
  expect((await client.query(weeks)).rows).toHaveLength(10);
});
