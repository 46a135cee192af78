import { afterAll, beforeAll, expect, test } from "vitest";
import { sealedColumns } from "#lib/core/seal/sealed-columns.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { withConnection } from "#server/database/database-connection.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Bytes that aren't sealed: hashes, codes, and bodies. */
const notSealed = [
  "api_tokens.token_hash",
  "audit_chains.checkpoint_mac",
  "audit_chains.head_mac",
  "audit_chains.kept_mac",
  "audit_chains.mac",
  "audit_entries.mac",
  "deliveries.body",
  "events.body",
  "idempotency_keys.request_hash",
  "portal_links.token_hash",
  "setup_tokens.token_hash",
];

test("every column of bytes is sealed again by a rotation, or known not to be sealed", async () => {
  const { rows } = await withConnection(database.url, (client) =>
    client.query<{ name: string }>(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype
      order by name`),
  );
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name)).toEqual([...sealed, ...notSealed].toSorted());
});
