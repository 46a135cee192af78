import type { SqlDatabase } from "../sql-database.ts";
import { maxCrashes, suspectCrashes } from "./claim-runs.ts";
import { laneSlack, lanes } from "./lanes.ts";
import { isLockGone } from "./worker-lock.ts";

/**
 * Workers that are registered and don't hold their lock: they are dead, or have just lost their connection and are about to
 * register anew. So they are reaped by who sees them twice, a second apart.
 */
export async function findLostWorkers(db: SqlDatabase): Promise<number[]> {
  const rows = await db.$queryRaw<
    { id: number }[]
  >`select w.id from workers w where ${isLockGone} order by w.id`;
  return rows.map((row) => row.id);
}

export type ReapOptions = {
  /** From `findLostWorkers`; those that hold their lock after all are left alone. */
  readonly lostWorkerIds: readonly number[];
  /** As in `claimRuns`: leased runs are among the first of their lane. */
  readonly laneCap: number;
};

export type ReapedRun = {
  readonly id: string;
  readonly accountId: string;
  /** Failed for good: its worker died `maxCrashes` times. */
  readonly isParked: boolean;
};

/**
 * Frees at once what lost workers held, and what is leased longer than its lease lasts (a worker that hangs). The call
 * of each such run may have been made: an attempt with `outcome_unknown` says so. Lost workers are forgotten.
 *
 * A run is parked that its worker died with for the last time. Of several suspects in the same hands that is the one begun last (see
 * `claimRuns`): those before it were being called already and nothing had happened. A worker that dies again and again for
 * whatever reason parks one run each time, and not everything that was due.
 *
 * Only the front of each lane is read, where leased runs are; one that is not there (an action's cap was lowered meanwhile) is
 * found when those before it are done.
 */
export async function reapRuns(
  db: SqlDatabase,
  { lostWorkerIds, laneCap }: ReapOptions,
): Promise<ReapedRun[]> {
  const depth = lostWorkerIds.length > 0 ? deepFront : laneSlack;
  const rows = await db.$queryRaw<{ id: string; account_id: string; state: string }[]>`
    with recursive ${lanes}, lost as (
      delete from workers w where w.id = any (${[...lostWorkerIds]}::int[]) and ${isLockGone} returning w.id
    ), abandoned as materialized (
      select r.id
      from lanes l left join actions a on a.id = l.target_id
      cross join lateral (
        select * from (
          select id, worker_id, leased_until from runs
          where account_id = l.account_id and target_id = l.target_id and finished_at is null
          order by due_at limit 5096
        ) r limit coalesce(a.max_concurrency, ${laneCap}::int) + ${depth}::int
      ) r
      where r.leased_until < now() or r.worker_id = any (array(select id from lost))
    ), held as (
      select id, worker_id, lease_id, crash_count from runs
      where id = any (array(select id from abandoned))
        and (leased_until < now() or worker_id = any (array(select id from lost)))
      for no key update skip locked
    ), judged as (
      select id, crash_count + case when crash_count < ${suspectCrashes}::int or row_number() over suspects = 1 then 1 else 0 end as crashes
      from held
      window suspects as (partition by worker_id, crash_count >= ${suspectCrashes}::int order by lease_id desc, id)
    ), freed as (
      update runs r
      set lease_id = null, leased_until = null, worker_id = null,
        attempt_count = r.attempt_count + 1,
        crash_count = judged.crashes,
        state = case when judged.crashes < ${maxCrashes}::int then 'retrying' else 'failed' end,
        reason = case when judged.crashes < ${maxCrashes}::int then ${freedReason} else ${parkedReason} end,
        finished_at = case when judged.crashes < ${maxCrashes}::int then null else now() end
      from judged where r.id = judged.id
      returning r.id, r.account_id, r.attempt_count, r.state
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, error_code, error_message)
      select uuid_v7_at(clock_timestamp()), id, account_id, attempt_count, now(), 0, 'outcome_unknown', ${outcomeUnknown} from freed
    )
    select id, account_id, state from freed`;
  return rows.map((row) => ({ id: row.id, accountId: row.account_id, isParked: row.state === "failed" }));
}

/** After a death it matters more to find every run than to be quick. */
const deepFront = 4_096;

const outcomeUnknown = "The worker stopped in the middle of this attempt; the call may have been made.";
const freedReason = "worker_died: the worker stopped in the middle of an attempt";
const parkedReason = `worker_died: the worker stopped in the middle of ${maxCrashes} attempts in a row`;
