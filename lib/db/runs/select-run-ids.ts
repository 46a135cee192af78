import { isId } from "#lib/base/ids.ts";
import type { IdSpan } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { toWeeks } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { ownQueues } from "#lib/db/queue/claim/own-queues.ts";
import { type EndedRunState, isEnded, type RunStatus } from "#lib/schema/act/run-states.ts";
import type { RunFilter } from "./run-filter.ts";
import { isDown, outcomeUnknown } from "./run-record.ts";
import { runSourcesOfDeliveries, runSourcesOfEvents } from "./run-sources.ts";

type RunIds = {
  readonly accountId: string;
  readonly filter: RunFilter;
  /** The actions or subscriptions that the filter selects. Null: the whole account. */
  readonly targetIds: readonly string[] | null;
  readonly span: IdSpan;
  readonly limit: number;
  /** The oldest ids of the span, not the newest. Only for runs that have ended. */
  readonly isOldestFirst?: boolean;
};

/**
 * The newest ids that an index returns for a filter, from its end: of open runs, of ended ones, or
 * of both. Those of ended runs can be the oldest. `matchesRun` checks the conditions that the index doesn't cover. Bounds are row
 * comparisons, for the reason given in `select-delivery-ids.ts`.
 */
export function selectRunIds(ids: RunIds): Prisma.Sql {
  const { accountId, filter, span, limit } = ids;
  const way = directionOf(ids);
  const { deliveryId, eventId, jobId, status } = filter;
  if (jobId !== undefined) return selectOfJob(ids, jobId);
  if (deliveryId !== undefined || eventId !== undefined) {
    const sources =
      eventId === undefined
        ? runSourcesOfDeliveries(deliveryId === undefined ? [] : [deliveryId])
        : runSourcesOfEvents([eventId]);
    return Prisma.sql`
      select r.id from ${sources}
      where r.account_id = ${accountId}::uuid and r.id >= ${span.first}::uuid and r.id < ${span.end}::uuid
      order by r.id ${way} limit ${limit}::int`;
  }
  if (filter.ids !== undefined)
    return Prisma.sql`
      select id from unnest(${filter.ids.filter(isId)}::uuid[]) as given(id)
      where id >= ${span.first}::uuid and id < ${span.end}::uuid
      order by id ${way} limit ${limit}::int`;
  if (status === undefined) {
    return Prisma.sql`
      select id from (
        (${selectOpen(ids)}) union all (${selectEnded(ids)})
      ) both_kinds order by id desc limit ${limit}::int`;
  }
  return isEnded(status) ? selectEnded(ids, status) : selectOpen(ids, status);
}

function directionOf({ isOldestFirst = false }: RunIds): Prisma.Sql {
  return isOldestFirst ? Prisma.sql`asc` : Prisma.sql`desc`;
}

/** Selects the runs of a bulk job by the outcome that it has counted. */
function selectOfJob(ids: RunIds, jobId: string): Prisma.Sql {
  const { status } = ids.filter;
  const { span, limit } = ids;
  const isOfStatus =
    status === undefined
      ? Prisma.empty
      : isEnded(status)
        ? Prisma.sql`and outcome = ${status}`
        : Prisma.sql`and outcome is null`;
  return Prisma.sql`
    select run_id as id from bulk_job_runs
    where job_id = ${jobId}::uuid and run_id >= ${span.first}::uuid and run_id < ${span.end}::uuid ${isOfStatus}
    order by run_id ${directionOf(ids)} limit ${limit}::int`;
}

/**
 * Selects open runs of each action queue: the newest ones, unless the status is `running`. Runs in
 * flight are those due first.
 */
function selectOpen(
  { accountId, targetIds, span, limit }: RunIds,
  status?: Exclude<RunStatus, EndedRunState>,
): Prisma.Sql {
  const isRetrying = Prisma.sql`reason_code is not null`;
  const queues =
    targetIds === null
      ? ownQueues(accountId, status === "retrying" ? Prisma.sql`and ${isRetrying}` : Prisma.empty)
      : Prisma.sql`own_queues as (select id as target_id from unnest(${[...targetIds]}::uuid[]) as given(id))`;
  const oldestFirst = Prisma.sql`
    select due.id from (
      select id, lease_id from queue
      where (account_id, target_id, due_at) >= (of_queue.account_id, of_queue.target_id, '-infinity')
        and (account_id, target_id, due_at) <= (of_queue.account_id, of_queue.target_id, 'infinity')
      order by account_id, target_id, due_at limit ${maxInFlight}::int
    ) due
    where due.lease_id is not null and due.id >= ${span.first}::uuid and due.id < ${span.end}::uuid`;
  const newestFirst = (condition: Prisma.Sql) => Prisma.sql`
    select id from queue
    where (account_id, target_id, id) >= (of_queue.account_id, of_queue.target_id, ${span.first}::uuid)
      and (account_id, target_id, id) < (of_queue.account_id, of_queue.target_id, ${span.end}::uuid) and ${condition}
    order by account_id desc, target_id desc, id desc limit ${limit}::int`;
  const runs = {
    running: oldestFirst,
    queued: newestFirst(Prisma.sql`true`),
    retrying: newestFirst(isRetrying),
    held: Prisma.sql`
      (${newestFirst(Prisma.sql`of_queue.waits`)})
      union all
      (${newestFirst(Prisma.sql`not of_queue.waits and ${isAsking}`)})`,
  };
  return Prisma.sql`
    with recursive ${queues}, of_queue as (
      select of_account.id as account_id, own_queues.target_id,
        ${isPaused} or ${isDown(Prisma.sql`own_queues.target_id`)} as waits
      from unnest(${[accountId]}::uuid[]) as of_account(id) cross join own_queues
      left join actions a on a.id = own_queues.target_id
      left join hooks h on h.id = a.hook_id
      left join subscriptions s on s.id = own_queues.target_id
      where ${mayHave(status)}
    )
    select found.id from of_queue cross join lateral (${runs[status ?? "queued"]}) found
    order by found.id desc limit ${limit}::int`;
}

/**
 * The maximum number of runs in flight: more than the worker has of one action (`actionCap`) and
 * reads beyond it.
 */
const maxInFlight = 250;

/** The condition of an index, so it is a constant and not a parameter. */
const isAsking = Prisma.raw(`reason_code = '${outcomeUnknown}'`);

/** Condition on an action queue: all its waiting runs are held. */
const isPaused = Prisma.sql`(case when s.id is not null then s.status <> 'active'
  else h.status is distinct from 'active' or a.enabled is not true or a.held_since is not null
    or a.deleted_at is not null end)`;

/** True if a queue may have runs of a status. Any queue may have one that waits for a decision. */
function mayHave(status: RunStatus | undefined): Prisma.Sql {
  if (status === "queued" || status === "retrying")
    return Prisma.sql`((a.id is null and s.id is null) or not ${isPaused})`;
  return Prisma.sql`true`;
}

/**
 * Selects ended runs. Most have succeeded, so no index has that state: walking all runs finds
 * those.
 */
function selectEnded(ids: RunIds, status?: EndedRunState): Prisma.Sql {
  const { accountId, targetIds, span, limit } = ids;
  const way = directionOf(ids);
  const [state, column] = [
    status === "succeeded" ? undefined : status,
    targetIds === null ? Prisma.sql`account_id` : Prisma.sql`target_id`,
  ];
  const columns = state === undefined ? column : Prisma.sql`${column}, state`;
  const values =
    state === undefined ? Prisma.sql`of_owner.id` : Prisma.sql`of_owner.id, of_state.name`;
  const order =
    state === undefined ? Prisma.sql`${column} ${way}` : Prisma.sql`${column} ${way}, state ${way}`;
  const { firstWeek, endWeek } = toWeeks(span);
  return Prisma.sql`
    select found.id from unnest(${targetIds === null ? [accountId] : [...targetIds]}::uuid[]) as of_owner(id)
    cross join unnest(${[state ?? ""]}::text[]) as of_state(name)
    cross join lateral (
      select id from runs
      where (${columns}, id) >= (${values}, ${span.first}::uuid) and (${columns}, id) < (${values}, ${span.end}::uuid)
        and id >= ${firstWeek}::uuid and id < ${endWeek}::uuid
        ${state === undefined ? Prisma.empty : Prisma.sql`and state <> 'succeeded'`}
      order by ${order}, id ${way} limit ${limit}::int
    ) found
    order by found.id ${way} limit ${limit}::int`;
}

/** The maximum number of runs found. A hook has at most a hundred actions, and seldom more than five. */
const maxRuns = 2_000;

/** The failed runs of these deliveries, by delivery. */
export async function findFailedRunIds(
  db: Database,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.$queryRaw<{ id: string; delivery_id: string }[]>`
    select r.id, r.delivery_id from ${runSourcesOfDeliveries(deliveryIds)}
    where r.account_id = ${accountId}::uuid and r.state = 'failed' and h.deleted_at is null
    order by r.id limit ${maxRuns}::int`;
  const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
  return new Map(Array.from(byDelivery, ([id, runs]) => [id, runs.map((run) => run.id)]));
}
