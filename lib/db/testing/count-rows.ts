import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { readRuns } from "./test-runs.ts";

type Statements = Pick<SqlDatabase, "$queryRaw" | "$executeRaw">;

/** Counts runs of a hook or of one delivery, open and ended. */
export async function countRuns(
  db: Statements,
  where: { readonly hookId?: string; readonly deliveryId?: string },
): Promise<number> {
  return (await readRuns(db, where)).length;
}

/** Counts dedupe keys of a hook's deliveries, and those whose delivery is not stored. */
export async function countDedupeKeys(db: Statements, hookId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from dedupe_keys k left join deliveries d on d.id = k.delivery_id
    where d.id is null or d.hook_id = ${hookId}::uuid`;
  return row?.count ?? 0;
}
