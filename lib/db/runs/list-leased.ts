import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";
import { runIdRange } from "./run-sources.ts";

/** Of these deliveries or events, those with a run that a worker has now. */
export async function listLeased(
  tx: SqlStatements,
  column: "delivery_id" | "event_id",
  originIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ranges = originIds.map(runIdRange);
  const origin = column === "delivery_id" ? Prisma.sql`q.delivery_id` : Prisma.sql`q.event_id`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select wanted.id from unnest(${toUuidArray([...originIds])}::uuid[], ${toUuidArray(ranges.map(({ first }) => first))}::uuid[],
      ${toUuidArray(ranges.map(({ last }) => last))}::uuid[]) as wanted(id, first, last)
    where exists (select from queue q where q.id >= wanted.first and q.id <= wanted.last and ${origin} = wanted.id and q.lease_id is not null)
      or exists (select from queue q where q.has_own_id and ${origin} = wanted.id and q.lease_id is not null)`;
  return new Set(rows.map(({ id }) => id));
}
