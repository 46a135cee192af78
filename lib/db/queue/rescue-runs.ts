import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { crashCandidateThreshold, maxCrashes } from "./claimed-run.ts";
import { actionQueues, queueSlack } from "./control/action-queues.ts";
import { dueWhenFreed, maxUnkeyed, unkeyed } from "./control/claim-order.ts";
import { isLockReleased } from "./workers.ts";

export type LostWorker = { readonly id: number; readonly name: string };

/**
 * Finds registered workers that don't hold their lock: they are dead, or have just lost their
 * connection and are about to register again. So a rescuer has to see them twice, a second apart,
 * unless it knows that their process has ended.
 */
export async function findLostWorkers(db: SqlDatabase): Promise<LostWorker[]> {
  return db.$queryRaw<
    LostWorker[]
  >`select w.id, w.name from workers w where ${isLockReleased} order by w.id`;
}

export type RescueOptions = {
  /**
   * The workers that `findLostWorkers` returned. Those that hold their lock after all are left
   * alone.
   */
  readonly lostWorkerIds: readonly number[];
  /** The same cap as in `claimRuns`: leased runs are among the first of their queue. */
  readonly actionCap: number;
  /** Leases of the caller, which is alive: their runs are left alone, regardless of their age. */
  readonly ownLeaseIds?: readonly string[];
  /** Runs of the caller whose lease others may have too. */
  readonly ownRunIds?: readonly string[];
};

export type RescuedRun = {
  readonly id: string;
  readonly accountId: string;
  /** True if the run failed permanently: its worker died `maxCrashes` times. */
  readonly isQuarantined: boolean;
};

/**
 * Frees the runs of lost workers, and those whose lease has expired (a hanging worker). The call of
 * each may have been made, so an attempt with `outcome_unknown` is recorded. The ledger of a run
 * with steps has that already: the worker that claims it next reads there what may have been made.
 * Lost workers are removed.
 *
 * A run is quarantined after its worker died with it `maxCrashes` times. Of several crash
 * candidates in one worker it is the one started last (see `claimRuns`): the earlier ones were
 * being called already and nothing had happened. A worker that keeps dying, for any reason,
 * quarantines one run each time, not all due runs.
 *
 * Reads only the front of each queue, by due time and by position, where leased runs are. A run
 * further back (because an action's cap was lowered) is found when those before it are done.
 */
export async function rescueRuns(
  db: SqlDatabase,
  { lostWorkerIds, actionCap, ownLeaseIds = [], ownRunIds = [] }: RescueOptions,
): Promise<RescuedRun[]> {
  const depth = lostWorkerIds.length > 0 ? deepFront : queueSlack;
  const rows = await db.$queryRaw<{ id: string; account_id: string; is_quarantined: boolean }[]>`
    with recursive ${actionQueues}, lost as (
      delete from workers w where w.id = any (${[...lostWorkerIds]}::int[]) and ${isLockReleased} returning w.id
    ), abandoned as materialized (
      select r.row_id, a.steps is not null as has_steps
      from action_queues l left join actions a on a.id = l.target_id left join subscriptions s on s.id = l.target_id
      cross join lateral (
        (
          select * from (
            select ctid as row_id, worker_id, leased_until from queue
            where account_id = l.account_id and target_id = l.target_id
            order by due_at limit 5096
          ) r limit coalesce(a.max_concurrency, s.max_concurrency, ${actionCap}::int) + ${depth}::int
        )
        union all
        (
          select ctid, worker_id, leased_until from queue
          where account_id = l.account_id and target_id = l.target_id and position is not null
          order by account_id, target_id, position limit 1
        )
        union all
        (
          select ctid, worker_id, leased_until from queue
          where account_id = l.account_id and target_id = l.target_id and order_key = ${unkeyed}
          order by account_id, target_id, order_key, id limit ${maxUnkeyed + queueSlack}::int
        )
      ) r
      where r.leased_until < now() or r.worker_id = any (array(select id from lost))
    ), held as (
      select ctid as row_id, id, worker_id, lease_id, crash_count,
        ctid = any (array(select row_id from abandoned where has_steps)) as has_steps
      from queue
      where ctid = any (array(select row_id from abandoned)) and lease_id <> all (${[...ownLeaseIds]}::uuid[])
        and id <> all (${[...ownRunIds]}::uuid[])
        and (leased_until < now() or worker_id = any (array(select id from lost)))
      for no key update skip locked
    ), counted as (
      select id, row_id, has_steps, crash_count + case when crash_count < ${crashCandidateThreshold}::int or row_number() over candidates = 1 then 1 else 0 end as crashes
      from held
      window candidates as (partition by worker_id, crash_count >= ${crashCandidateThreshold}::int order by lease_id desc, id)
    ), freed as (
      update queue r
      set lease_id = null, leased_until = null, worker_id = null, due_at = ${dueWhenFreed},
        attempt_count = r.attempt_count + case when has_steps then 0 else 1 end, crash_count = counted.crashes,
        reason_code = 'worker_died', reason_detail = ${freedDetail}
      from counted where r.ctid = counted.row_id and counted.crashes < ${maxCrashes}::int
      returning r.id, r.account_id, r.attempt_count, has_steps, false as is_quarantined
    ), removed as (
      delete from queue r using counted where r.ctid = counted.row_id and counted.crashes >= ${maxCrashes}::int
      returning r.*, has_steps
    ), quarantined as (
      insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, finished_at, attempt_count, state,
        reason_code, reason_detail)
      select id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, now(),
        case when has_steps then (select coalesce(sum(s.attempt_count), 0) from run_steps s where s.id = removed.id) else attempt_count + 1 end,
        'failed', 'worker_died', ${quarantinedDetail}
      from removed
      returning id, account_id, attempt_count
    ), rescued as (
      select * from freed
      union all
      select id, q.account_id, q.attempt_count, has_steps, true from quarantined q join removed using (id)
    ), tried as (
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, error_code, error_message)
      select uuid_v7_at(clock_timestamp()), id, account_id, attempt_count, now(), 0, 'outcome_unknown', ${outcomeUnknown}
      from rescued where not has_steps
    )
    select id, account_id, is_quarantined from rescued`;
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    isQuarantined: row.is_quarantined,
  }));
}

/** The number of rows read per queue. After a crash, finding every run matters more than speed. */
const deepFront = 4_096;

const outcomeUnknown =
  "The worker stopped in the middle of this attempt; the call may have been made.";
const freedDetail = "the worker stopped in the middle of an attempt";
const quarantinedDetail = `the worker stopped in the middle of ${maxCrashes} attempts in a row`;
