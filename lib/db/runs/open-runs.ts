import { idFloor, lastId } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { ownQueues } from "#lib/db/queue/claim/own-queues.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { outcomeUnknown, runStatusSql, toRunReason } from "./run-record.ts";
import { openRunSourcesOf } from "./run-sources.ts";

export type OpenRuns = {
  readonly hookId: string;
  readonly actionId: string;
  readonly status: RunStatus;
  readonly count: number;
  /** The number of those that wait until a user says what happened to a call. */
  readonly asking: number;
};

/**
 * The maximum number of scanned runs, shared by the action queues. Beyond it, the counts are a
 * little low.
 */
const maxScanned = 10_000;
const minScanned = 200;

/**
 * Counts runs that wait or are in flight, by action and status, among the runs due first in each
 * action queue.
 */
export async function countOpenRuns(db: Database, accountId: string): Promise<readonly OpenRuns[]> {
  return db.$queryRaw<OpenRuns[]>`
    with recursive ${ownQueues(accountId)}, due as materialized (
      select found.* from own_queues cross join lateral (
        select * from queue where account_id = ${accountId}::uuid and target_id = own_queues.target_id
        order by account_id, target_id, due_at
        limit (select greatest(${minScanned}::int, ${maxScanned}::int / greatest(count(*), 1)) from own_queues)
      ) found
    )
    select r.hook_id as "hookId", r.target_id as "actionId", ${runStatusSql} as status, count(*)::int as count,
      count(*) filter (where r.reason_code = ${outcomeUnknown})::int as asking
    from ${openRunSourcesOf("due")}
    where r.hook_id is not null and a.id is not null and h.deleted_at is null and a.deleted_at is null
    group by 1, 2, 3`;
}

/** The sums of these counts, by why the runs wait. */
export function sumWaiting(open: readonly OpenRuns[]) {
  return {
    queued: sumOpen(open, ["queued", "running"]),
    retrying: sumOpen(open, ["retrying"]),
    held: sumOpen(open, ["held"]),
    asking: open.reduce((sum, { asking }) => sum + asking, 0),
  };
}

function sumOpen(open: readonly OpenRuns[], statuses: readonly RunStatus[]): number {
  return open.reduce((sum, { status, count }) => sum + (statuses.includes(status) ? count : 0), 0);
}

/** The number of runs of an action that are scanned for the newest one that made a call. */
const maxNewest = 20;

/**
 * Finds whether the newest call of each of these actions failed, among runs since `sinceMs` (Unix
 * time). An action without a call since then has no entry. Reads a few rows of the newest
 * partitions for each.
 */
export async function findLastOutcomes(
  db: Database,
  accountId: string,
  actionIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, "succeeded" | "failed">> {
  if (actionIds.length === 0) return new Map();
  const since = idFloor(sinceMs);
  // Row comparisons make the planner walk the index of actions, even in a table without statistics.
  const rows = await db.$queryRaw<{ actionId: string; state: string }[]>`
    select of_action.id as "actionId", last.state
    from unnest(${[...actionIds]}::uuid[]) as of_action(id)
    cross join lateral (
      select state from (
        (
          select id, state, account_id from runs
          where (target_id, id) >= (of_action.id, ${since}::uuid) and (target_id, id) <= (of_action.id, ${lastId}::uuid)
            and id >= ${since}::uuid
          order by target_id desc, id desc limit ${maxNewest}::int
        )
        union all
        (
          select id, 'retrying', account_id from queue
          where account_id = ${accountId}::uuid and target_id = of_action.id and id >= ${since}::uuid and reason_code is not null
          order by account_id desc, target_id desc, id desc limit 1
        )
      ) newest
      where state in ('succeeded', 'failed', 'retrying') and account_id = ${accountId}::uuid
      order by id desc limit 1
    ) last`;
  return new Map(
    rows.map(({ actionId, state }) => [actionId, state === "succeeded" ? state : "failed"]),
  );
}

type LastFailure = {
  readonly actionId: string;
  readonly reason: RunReason | null;
  readonly at: Date;
};

type FailureRow = {
  readonly actionId: string;
  readonly code: string | null;
  readonly detail: string | null;
  readonly at: Date;
};

/**
 * Finds the reason the newest run of each of these actions failed or is retrying: one index step
 * each.
 */
export async function findLastFailures(
  db: Database,
  accountId: string,
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, LastFailure>> {
  if (actionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<FailureRow[]>`
    select of_action.id as "actionId", newest.reason_code as code, newest.reason_detail as detail,
      to_timestamp(uuid_v7_ms(newest.id) / 1000.0) as at
    from unnest(${[...actionIds]}::uuid[]) as of_action(id)
    cross join lateral (
      (
        select id, reason_code, reason_detail from runs
        where account_id = ${accountId}::uuid and (target_id, state) = (of_action.id, 'failed') and state <> 'succeeded'
          and reason_detail is not null
        order by target_id desc, state desc, id desc limit 1
      )
      union all
      (
        select id, reason_code, reason_detail from queue
        where (account_id, target_id) = (${accountId}::uuid, of_action.id) and reason_code is not null
        order by account_id desc, target_id desc, id desc limit 1
      )
      order by id desc limit 1
    ) newest`;
  return new Map(
    rows.map(({ actionId, at, code, detail }) => [
      actionId,
      { actionId, at, reason: toRunReason(code, detail) },
    ]),
  );
}
