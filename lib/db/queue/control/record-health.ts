import type { ReceiverHealth } from "#lib/core/sending/retry/receiver-health.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/**
 * Concurrent calls of a target with a breaker, unless it has its own concurrency or opens after
 * more failures. At most this many calls fail before it opens.
 */
export const breakerConcurrency = 20;

/** The outcome of a call that counts for a breaker. */
export type CallHealth = {
  readonly targetId: string;
  readonly runId: string;
  readonly health: ReceiverHealth;
  /** The duration of the call. */
  readonly durationMs: number;
};

/**
 * Counts outcomes for the breakers of their targets, over all workers. Call it before the runs are
 * finished: a failure that isn't counted yet still holds its place among the calls in flight, so
 * the two together never exceed the target's concurrency (see `claimRuns`).
 *
 * A closed breaker opens with the last of `failures` in the window. While it is open, only the run
 * that was started as a try counts: a success begins the recovery, with two concurrent calls. Each
 * success doubles that, up to the target's concurrency, and then the breaker is closed. A failure
 * opens it again, unless the call began before the recovery.
 */
export async function recordHealth(db: SqlDatabase, calls: readonly CallHealth[]): Promise<void> {
  const known = await countCalls(db, calls);
  const first = calls.filter(({ targetId }) => !known.has(targetId));
  if (first.length === 0) return;
  await db.$executeRaw`
    insert into target_breakers (target_id)
    select id from (
      select id, breaker_failures from actions union all select id, breaker_failures from destinations
    ) targets
    where id = any (${first.map(({ targetId }) => targetId)}::uuid[]) and breaker_failures is not null
    on conflict do nothing`;
  await countCalls(db, first);
}

/** @returns the targets that have a row */
async function countCalls(
  db: SqlDatabase,
  calls: readonly CallHealth[],
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with input as materialized (
      select * from unnest(
        ${calls.map(({ targetId }) => targetId)}::uuid[], ${calls.map(({ runId }) => runId)}::uuid[],
        ${calls.map(({ health }) => health)}::text[], ${calls.map(({ durationMs }) => Math.round(durationMs))}::int[]
      ) as t(target_id, run_id, health, duration_ms)
    ), settings as materialized (
      select id, breaker_failures as failures, breaker_window_seconds * interval '1 s' as span,
        breaker_open_seconds * interval '1 s' as pause, coalesce(max_concurrency, greatest(${breakerConcurrency}::int, breaker_failures)) as cap
      from (
        select id, breaker_failures, breaker_window_seconds, breaker_open_seconds, max_concurrency from actions
        where id = any (array(select target_id from input)) and breaker_failures is not null
        union all
        select id, breaker_failures, breaker_window_seconds, breaker_open_seconds, max_concurrency from destinations
        where id = any (array(select target_id from input)) and breaker_failures is not null
      ) breakers
    )
    update target_breakers b
    set (failed_at, down_since, next_try_at, probe_run_id, ramp) = (
      select case when k.stays_closed then k.recent else '{}' end,
        case when k.stays_closed or k.closes then null when b.down_since is null then k.recent[1] else b.down_since end,
        case when k.stays_closed or k.closes then null when k.opens or k.probe = 'down' then now() + settings.pause
          when k.probe is not null then now() else b.next_try_at end,
        case when b.down_since is not null and b.ramp is null and k.probe is null then b.probe_run_id end,
        case when k.stays_closed or k.closes or k.opens then null when b.ramp is not null then k.faster
          when k.probe = 'up' then 2 end
      from (
        select i.*, i.is_closed and not i.is_full as stays_closed, i.is_closed and i.is_full or i.relapses as opens,
          i.faster >= settings.cap and not i.relapses as closes
        from (
          select c.*, b.down_since is null as is_closed, cardinality(c.recent) >= settings.failures as is_full,
            b.ramp is not null and c.late_failures > 0 as relapses, b.ramp * power(2, least(c.successes, 10))::int as faster
          from (
            select
              array(
                select at from unnest(b.failed_at || array(select now() from input where target_id = b.target_id and health = 'down')) as at
                where at > now() - settings.span order by at
              ) as recent,
              (select count(*) from input where target_id = b.target_id and health = 'up') as successes,
              (select count(*) from input where target_id = b.target_id and health = 'down'
                and now() - duration_ms * interval '1 ms' >= b.next_try_at) as late_failures,
              (select health from input where run_id = b.probe_run_id and b.down_since is not null and b.ramp is null limit 1) as probe
          ) c
        ) i
      ) k
    )
    from settings where b.target_id = settings.id
    returning b.target_id as id`;
  return new Set(rows.map(({ id }) => id));
}
