import type { Database } from "#lib/db/postgres/client.ts";

/** Those of the deliveries that were accepted, or repeat one that was. */
export async function findReplayable(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { accountId, id: { in: [...ids] }, status: { in: ["accepted", "duplicate"] } };
  const rows = await db.delivery.findMany({ where, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}
