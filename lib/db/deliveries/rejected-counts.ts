import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

export type RejectedCount = {
  readonly hookId: string;
  readonly accountId: string;
  readonly reason: string;
  /** The minute in which the requests were rejected, in Unix milliseconds. */
  readonly minuteMs: number;
  readonly count: number;
};

/** Adds rejections beyond the number that is stored in full. */
export async function addRejectedCounts(
  db: SqlDatabase,
  counts: readonly RejectedCount[],
): Promise<void> {
  const column = <T>(read: (count: RejectedCount) => T): T[] => counts.map(read);
  await db.$executeRaw`
    insert into rejected_counts as known (hook_id, minute, reason, account_id, count)
    select hook_id, to_timestamp(minute_ms / 1000.0), reason, account_id, count
    from unnest(
      ${column((c) => c.hookId)}::uuid[],
      ${column((c) => c.minuteMs)}::bigint[],
      ${column((c) => c.reason)}::text[],
      ${column((c) => c.accountId)}::uuid[],
      ${column((c) => c.count)}::bigint[]
    ) as t(hook_id, minute_ms, reason, account_id, count)
    order by 1, 2, 3
    on conflict (hook_id, minute, reason) do update set count = known.count + excluded.count`;
}

/** Requests within 24 hours that were rejected for exceeding a rate limit. */
export async function countRateLimited(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<number> {
  const { _sum: sum } = await db.rejectedCount.aggregate({
    where: {
      accountId,
      hookId,
      reason: "rate_limited",
      minute: { gte: new Date(Date.now() - dayMs) },
    },
    _sum: { count: true },
  });
  return Number(sum.count ?? 0);
}

const dayMs = 86_400_000;
