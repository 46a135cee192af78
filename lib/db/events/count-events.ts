import { lastId, toIdSpan } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";

const maxCounted = 10_000;

/** Counts the events published since then, up to 10,000. */
export async function countEvents(
  db: Database,
  accountId: string,
  fromMs: number,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  const { first } = toIdSpan({ from: fromMs }, lastId);
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from events where account_id = ${accountId}::uuid and id >= ${first}::uuid
      order by account_id desc, id desc limit ${maxCounted + 1}::int
    ) newest`;
  const count = row?.count ?? 0;
  return { count: Math.min(count, maxCounted), isMore: count > maxCounted };
}
