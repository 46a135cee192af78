import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/** Which of these deliveries are stored. A spooled one may be: its first statement was only late. */
export async function findStoredIds(
  db: SqlStatements,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where id = any (${toUuidArray(ids)}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

type Response = { readonly id: string; readonly ms: number };

/** Deliveries from the spool had their response long before they were stored. */
export async function recordResponseTimes(
  db: SqlStatements,
  responses: readonly Response[],
): Promise<void> {
  await db.$executeRaw`
    update deliveries set response_ms = given.ms
    from unnest(${toUuidArray(responses.map(({ id }) => id))}::uuid[], ${responses.map(({ ms }) => ms)}::int[])
      as given(id, ms)
    where deliveries.id = given.id`;
}
