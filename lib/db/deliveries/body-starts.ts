import type { Database } from "#lib/db/postgres/client.ts";

/** The bytes to read. The values that a list shows are seldom further back. */
const shownBytes = 16_384;

/** Reads the start of each delivery's body, and no more. A delivery without a body has no entry. */
export async function readBodyStarts(
  db: Database,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (deliveryIds.length === 0) return new Map();
  // Each id is looked up separately, as in `readSummaries`.
  const rows = await db.$queryRaw<{ id: string; start: Uint8Array }[]>`
    select id, start from unnest(${[...deliveryIds]}::uuid[]) as wanted(wanted_id)
    cross join lateral (
      select id, account_id, substring(body from 1 for ${shownBytes}::int) as start from deliveries
      where id = wanted.wanted_id and body_size > 0 limit 1
    ) delivery
    where account_id = ${accountId}::uuid`;
  return new Map(rows.map(({ id, start }) => [id, start]));
}
