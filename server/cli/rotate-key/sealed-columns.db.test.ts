import { afterAll, beforeAll, expect, test } from "vitest";
import { sealedColumns } from "#lib/core/people/seal/sealed-columns.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { withConnection } from "#server/database/database-connection.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Hashes and codes are named so. Bodies and public keys aren't sealed. */
const isNotSealed =
  /_hash$|[._]mac$|^(?:deliveries|events|gap_events|listener_responses)\.body$|^passkeys\.public_key$/;

test("every column of bytes is sealed again by a rotation, or known not to be sealed", async () => {
  const { rows } = await withConnection(database.url, (client) =>
    client.query<{ name: string }>(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype
      order by name`),
  );
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  const names = rows.map(({ name }) => name).filter((name) => !isNotSealed.test(name));
  expect(names).toEqual(sealed.toSorted());
  expect(rows.length).toBeGreaterThan(names.length);
});
