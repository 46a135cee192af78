import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { ReplayFilter } from "#lib/schema/replay.ts";
import { type ReplayedPair, scanReplayed } from "./scan-replayed.ts";

/** Runs queued in one transaction. */
const batchRuns = 500;
/**
 * Open runs of a job that stops after failures: with all of them queued at once, it couldn't stop
 * anything.
 */
const maxOpen = 50;

type Job = {
  readonly id: string;
  readonly account_id: string;
  readonly filter: ReplayFilter;
  readonly seen_before: string;
  readonly failed_before: number;
  /** How many runs its rate allows now. */
  readonly allowed: number;
};

/**
 * Queues the next runs of one replay. The runs and the job's progress are written in one
 * transaction, which only one process at a time can enter for a job, so a killed process leaves
 * nothing half done and no delivery is replayed twice. The rate counts from the last batch, so it
 * holds over all processes and restarts, and a pause isn't caught up on.
 *
 * @returns whether there was anything to do
 */
export async function workReplayJobs(db: SqlDatabase): Promise<boolean> {
  const queued = await db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
      select id, account_id, filter, seen_before, failed_before,
        case when (filter ->> 'ratePerMinute') is null then ${batchRuns}::int
          else least(${batchRuns}::int, 1 + floor(
            date_part('epoch', now() - greatest(coalesce(next_at, now()), now() - interval '1 second'))
              * (filter ->> 'ratePerMinute')::float8 / 60
          )::int) end as allowed
      from bulk_jobs
      where finished_at is null and kind = 'replay' and status = 'running' and coalesce(next_at <= now(), true)
      order by random() limit 1 for update skip locked`;
    return job === undefined ? null : await queueBatch(tx, job);
  });
  if (queued === null) return false;
  if (queued > 0) notifyRunsDue(db);
  return true;
}

async function queueBatch(tx: SqlStatements, job: Job): Promise<number> {
  const { id, account_id: accountId, filter, seen_before: after } = job;
  const { stopAfterFailures } = filter;
  const state = stopAfterFailures === null ? null : await readState(tx, job);
  if (state !== null && stopAfterFailures !== null) {
    const failed = state.failed - job.failed_before;
    if (failed >= stopAfterFailures) {
      const reason = `${failed} ${failed === 1 ? "run has" : "runs have"} failed.`;
      await tx.$executeRaw`
        update bulk_jobs set status = 'paused', pause_reason = ${reason}, failed_count = ${state.failed}::int
        where id = ${id}::uuid`;
      return 0;
    }
  }
  const room = state === null ? job.allowed : Math.min(job.allowed, maxOpen - state.open);
  if (room <= 0) {
    await tx.$executeRaw`
      update bulk_jobs set next_at = now() + interval '1 second', failed_count = ${state?.failed ?? 0}::int
      where id = ${id}::uuid`;
    return 0;
  }
  const actionIds = await listEnabled(tx, job);
  const limit = Math.max(1, Math.floor(room / Math.max(1, actionIds.length)));
  const { pairs, last } = await scanReplayed(tx, accountId, filter, actionIds, {
    after,
    before: id,
    limit,
  });
  const queued = await queueRuns(tx, job, pairs);
  const isAtEnd = last === null;
  const seconds = filter.ratePerMinute === null ? 0 : (queued * 60) / filter.ratePerMinute;
  await tx.$executeRaw`
    update bulk_jobs set changed_count = changed_count + ${queued}::int, seen_before = ${last ?? after}::uuid,
      next_at = greatest(coalesce(next_at, now()), now() - interval '1 second') + ${seconds}::float8 * interval '1 second',
      failed_count = case when ${state === null} then failed_count else ${state?.failed ?? 0}::int end,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${id}::uuid`;
  return queued;
}

/** In the order of their deliveries, and of the actions of a delivery. */
async function queueRuns(
  tx: SqlStatements,
  { id, account_id: accountId, filter: { hookId } }: Job,
  pairs: readonly ReplayedPair[],
): Promise<number> {
  if (pairs.length === 0) return 0;
  const rows = await tx.$queryRaw<{ count: number }[]>`
    with wanted as materialized (
      select uuid_v7_at(clock_timestamp()) as id, pair.* from unnest(
        ${pairs.map(({ deliveryId }) => deliveryId)}::uuid[], ${pairs.map(({ actionId }) => actionId)}::uuid[],
        ${pairs.map(({ bodySize }) => bodySize)}::int[], ${pairs.map(({ sentBy }) => sentBy)}::uuid[]
      ) with ordinality as pair(delivery_id, action_id, body_size, sent_by, place)
    ), present as materialized (
      -- Locked, so that none is deleted before its runs are there.
      select d.id from deliveries d where d.id = any (array(select delivery_id from wanted)) for key share
    ), queued as (
      insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, body_size, has_own_id, order_key)
      select w.id, ${accountId}::uuid, w.action_id, ${hookId}::uuid, w.delivery_id, now() + w.place * interval '1 microsecond',
        w.body_size, true, case when a.order_by is not null then ${unkeyed} end
      from wanted w join actions a on a.id = w.action_id where w.delivery_id in (select id from present)
      order by w.place
      returning id
    ), noted as (
      insert into bulk_job_runs (run_id, job_id, sent_by)
      select id, ${id}::uuid, sent_by from wanted where id in (select id from queued)
    )
    select count(*)::int as count from queued`;
  return rows[0]?.count ?? 0;
}

/** Those that were deleted or disabled since are left out. */
async function listEnabled(tx: SqlStatements, { filter }: Job): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from actions
    where id = any (${[...filter.actionIds]}::uuid[]) and hook_id = ${filter.hookId}::uuid and enabled and deleted_at is null
    order by position, id`;
  return rows.map(({ id }) => id);
}

/** Of the runs that the job has queued: those that failed, and those that have not ended. */
async function readState(
  tx: SqlStatements,
  { id, account_id: accountId, filter: { actionIds } }: Job,
): Promise<{ readonly failed: number; readonly open: number }> {
  const [row] = await tx.$queryRaw<{ failed: number; open: number }[]>`
    select (
      select count(*)::int from runs r join bulk_job_runs made on made.run_id = r.id and made.job_id = ${id}::uuid
      where r.target_id = any (${[...actionIds]}::uuid[]) and r.state = 'failed'
        and r.id >= uuid_v7_floor((select created_at from bulk_jobs where id = ${id}::uuid))
    ) as failed, (
      select count(*)::int from queue q join bulk_job_runs made on made.run_id = q.id and made.job_id = ${id}::uuid
      where q.account_id = ${accountId}::uuid and q.target_id = any (${[...actionIds]}::uuid[]) and q.has_own_id
    ) as open`;
  return row ?? { failed: 0, open: 0 };
}
