import { idFloor, idTime } from "#lib/core/api/page.ts";
import type { JobRun } from "#lib/db/jobs/count-outcomes.ts";
import type { LockedJob } from "#lib/db/jobs/lock-bulk-job.ts";
import { hearAgain } from "#lib/db/listeners/log-positions.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";
import { type ReplayedPair, scanReplayed } from "./scan-replayed.ts";

type Job = LockedJob<ReplayFilter>;

type QueuedReplays = {
  readonly queued: readonly JobRun[];
  /** The last delivery that was checked. Null: there are no more. */
  readonly last: string | null;
};

/**
 * Queues the next runs of a replay, oldest delivery first: at most `maxRuns`, or those of one
 * delivery. Those who listen to the hook hear its deliveries again. Backfills of a hook take turns, so that two of them don't both find a run missing. They
 * don't lock its row, which an import may have for minutes.
 */
export async function queueReplays(
  tx: SqlStatements,
  job: Job,
  maxRuns: number,
): Promise<QueuedReplays> {
  const { id, accountId, filter, seenBefore: after } = job;
  if (filter.onlyMissing)
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('backfill'), hashtext(${filter.hookId}))`;
  const actionIds = await listEnabled(tx, job);
  const limit = Math.max(1, Math.floor(maxRuns / Math.max(1, actionIds.length)));
  // Not the job's own id: it is from the clock of another machine than the deliveries' ids.
  const before = filter.newest === undefined ? id : idFloor(idTime(filter.newest) + 1);
  const span = { after, before, limit };
  const { pairs, last } = await scanReplayed(tx, accountId, filter, actionIds, span);
  const queued = await queueRuns(tx, job, pairs);
  const deliveryIds = [...new Set(pairs.map(({ deliveryId }) => deliveryId))];
  if (deliveryIds.length > 0) await hearAgain(tx, { accountId, deliveryIds, listenerId: null });
  return { queued, last };
}

/** Queues runs in the order of their deliveries, and then of the delivery's actions. */
async function queueRuns(
  tx: SqlStatements,
  { accountId, filter: { hookId } }: Job,
  pairs: readonly ReplayedPair[],
): Promise<readonly JobRun[]> {
  if (pairs.length === 0) return [];
  return await tx.$queryRaw<JobRun[]>`
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
    )
    -- A replay of a replay sends what the first run sent: its templates saw the time of that one.
    select w.id, coalesce(first.sent_by, w.sent_by) as "sentBy" from wanted w left join lateral (
      select made.sent_by from bulk_job_runs made
      where made.run_id = w.sent_by and made.sent_by is not null and exists (select from runs r where r.id = made.sent_by)
      limit 1
    ) first on true
    where w.id in (select id from queued)`;
}

/** Lists the enabled actions of a job. Those that have been deleted or disabled are omitted. */
async function listEnabled(tx: SqlStatements, { filter }: Job): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from actions
    where id = any (${[...filter.actionIds]}::uuid[]) and hook_id = ${filter.hookId}::uuid and enabled and deleted_at is null
    order by position, id`;
  return rows.map(({ id }) => id);
}
