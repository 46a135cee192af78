import type { SqlDatabase } from "./sql-database.ts";

export type RejectedCount = {
  readonly hookId: string;
  readonly accountId: string;
  readonly reason: string;
  /** The minute it belongs to, in milliseconds since 1970. */
  readonly minuteMs: number;
  readonly count: number;
};

/** Adds what was rejected beyond the bound of what is recorded. */
export async function addRejectedCounts(db: SqlDatabase, counts: readonly RejectedCount[]): Promise<void> {
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
