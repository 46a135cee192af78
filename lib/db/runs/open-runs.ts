import type { Database } from "#lib/db/postgres/client.ts";
import { idFloor, lastId } from "#lib/db/postgres/page.ts";
import type { RunReason } from "#lib/schema/run.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";
import { reasonCode, reasonDetail, runSources, runStatusSql, toRunReason } from "./run-record.ts";

export type OpenRuns = {
  readonly hookId: string;
  readonly actionId: string;
  readonly status: RunStatus;
  readonly count: number;
};

/** Scanned per state. Beyond it the counts are a little low. */
const maxScanned = 5_000;

/** Runs waiting or in flight, by action and status, of at most 5,000 runs per stored state. */
export async function countOpenRuns(db: Database, accountId: string): Promise<readonly OpenRuns[]> {
  return db.$queryRaw<OpenRuns[]>`
    with open as materialized (
      select newest.id from unnest(array['queued', 'retrying']) as of_state(name)
      cross join lateral (
        select id from runs where (account_id, state) = (${accountId}::uuid, of_state.name) limit ${maxScanned}::int
      ) newest
    )
    select r.hook_id as "hookId", r.action_id as "actionId", ${runStatusSql} as status, count(*)::int as count
    from ${runSources}
    where r.id = any (array(select id from open)) and r.action_id is not null and h.deleted_at is null and a.deleted_at is null
    group by 1, 2, 3`;
}

/** Runs of an action that are scanned for the newest one that made a call. */
const maxNewest = 20;

/**
 * Whether the newest call of each of these actions failed, of runs since `sinceMs` (Unix time). One
 * without a call since then has no entry. Reads a few rows of the newest partitions for each.
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
        select id, state, account_id from runs
        where (target_id, id) >= (of_action.id, ${since}::uuid) and (target_id, id) <= (of_action.id, ${lastId}::uuid)
          and id >= ${since}::uuid
        order by target_id desc, id desc limit ${maxNewest}::int
      ) newest
      where state in ('succeeded', 'failed', 'retrying') and account_id = ${accountId}::uuid
      order by id desc limit 1
    ) last`;
  return new Map(
    rows.map(({ actionId, state }) => [actionId, state === "succeeded" ? state : "failed"]),
  );
}

export type LastFailure = {
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

/** Why the newest run of each of these actions failed or is retrying: one index step each. */
export async function findLastFailures(
  db: Database,
  accountId: string,
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, LastFailure>> {
  if (actionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<FailureRow[]>`
    select distinct on (newest.action_id) newest.action_id as "actionId", newest.code, newest.detail, newest.created_at as at
    from unnest(${[...actionIds]}::uuid[]) as of_action(id)
    cross join unnest(array['failed', 'retrying']) as of_state(name)
    cross join lateral (
      select id, action_id, ${reasonCode} as code, ${reasonDetail} as detail, created_at from runs r
      where account_id = ${accountId}::uuid and (target_id, state) = (of_action.id, of_state.name)
        and state in ('retrying', 'failed', 'skipped', 'cancelled') and coalesce(reason_detail, reason) is not null
      order by target_id desc, state desc, id desc limit 1
    ) newest
    order by newest.action_id, newest.id desc`;
  return new Map(
    rows.map(({ actionId, at, code, detail }) => [
      actionId,
      { actionId, at, reason: toRunReason(code, detail) },
    ]),
  );
}
