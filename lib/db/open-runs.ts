import type { RunStatus } from "#lib/schema/run.ts";
import type { Database } from "./client.ts";
import { runSources, runStatusSql } from "./run-record.ts";

export type OpenRuns = {
  readonly hookId: string;
  readonly actionId: string;
  readonly status: RunStatus;
  readonly count: number;
};

/** Looked at by state: beyond it the counts are a little low. */
const mostLooked = 5_000;

/** What waits or is under way now, by action and status; of 5,000 runs a stored state at most. */
export async function countOpenRuns(db: Database, accountId: string): Promise<readonly OpenRuns[]> {
  return db.$queryRaw<OpenRuns[]>`
    with open as materialized (
      select newest.id from unnest(array['queued', 'retrying']) as of_state(name)
      cross join lateral (
        select id from runs where (account_id, state) = (${accountId}::uuid, of_state.name) limit ${mostLooked}::int
      ) newest
    )
    select r.hook_id as "hookId", r.action_id as "actionId", ${runStatusSql} as status, count(*)::int as count
    from ${runSources}
    where r.id = any (array(select id from open)) and r.action_id is not null and h.deleted_at is null and a.deleted_at is null
    group by 1, 2, 3`;
}

export type LastFailure = { readonly actionId: string; readonly reason: string | null; readonly at: Date };

/** Why the newest run of each of these actions has failed, or is tried again: one step into an index each. */
export async function findLastFailures(
  db: Database,
  accountId: string,
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, LastFailure>> {
  if (actionIds.length === 0) return new Map();
  const rows = await db.$queryRaw<LastFailure[]>`
    select distinct on (newest.action_id) newest.action_id as "actionId", newest.reason, newest.created_at as at
    from unnest(${[...actionIds]}::uuid[]) as of_action(id)
    cross join unnest(array['failed', 'retrying']) as of_state(name)
    cross join lateral (
      select id, action_id, reason, created_at from runs
      where account_id = ${accountId}::uuid and (target_id, state) = (of_action.id, of_state.name)
        and state in ('retrying', 'failed', 'skipped', 'cancelled') and reason is not null
      order by target_id desc, state desc, id desc limit 1
    ) newest
    order by newest.action_id, newest.id desc`;
  return new Map(rows.map((row) => [row.actionId, row]));
}
