import { Prisma } from "#lib/db/generated/client.ts";
import type { IdSpan } from "#lib/db/postgres/page.ts";
import { openRunStates, type RunStatus, storedRunStates } from "#lib/schema/run-states.ts";
import type { RunFilter } from "./run-filter.ts";

export type RunIds = {
  readonly accountId: string;
  readonly filter: RunFilter;
  /** The actions that the filter selects. Null: the whole account. */
  readonly targetIds: readonly string[] | null;
  readonly span: IdSpan;
  readonly limit: number;
};

/**
 * The newest ids that an index returns for a filter, from its end. What the index can't decide is
 * left to `matchesRun`. Bounds are row comparisons, for the reason given in
 * `select-delivery-ids.ts`.
 */
export function selectRunIds(ids: RunIds): Prisma.Sql {
  const { accountId, filter, targetIds, span, limit } = ids;
  if (filter.deliveryId !== undefined) {
    return Prisma.sql`
      select id from runs
      where delivery_id = ${filter.deliveryId}::uuid and account_id = ${accountId}::uuid and id >= ${span.first}::uuid and id < ${span.end}::uuid
      order by id desc limit ${limit}::int`;
  }
  if (targetIds === null) return selectByState(ids, statesOf(filter.status));
  const { status } = filter;
  // Most runs have succeeded, so walking the target's own runs is faster.
  if (status === undefined || status === "succeeded") return selectByTarget(ids, targetIds);
  const states = statesOf(status);
  // A queued run is in no index by target and state, so that storing it stays cheap. But few are
  // queued.
  if (states.includes("queued")) return selectByState(ids, states);
  return selectByTargetAndState(ids, targetIds, states);
}

function selectByState({ accountId, span, limit }: RunIds, states: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    select newest.id from unnest(${[...states]}::text[]) as of_state(name)
    cross join lateral (
      select id from runs
      where (account_id, state, id) >= (${accountId}::uuid, of_state.name, ${span.first}::uuid)
        and (account_id, state, id) < (${accountId}::uuid, of_state.name, ${span.end}::uuid)
      order by account_id desc, state desc, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}

function selectByTarget({ span, limit }: RunIds, targetIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    select newest.id from unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join lateral (
      select id from runs
      where (target_id, id) >= (of_target.id, ${span.first}::uuid) and (target_id, id) < (of_target.id, ${span.end}::uuid)
      order by target_id desc, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}

function selectByTargetAndState(
  { span, limit }: RunIds,
  targetIds: readonly string[],
  states: readonly string[],
): Prisma.Sql {
  return Prisma.sql`
    select newest.id from unnest(${[...targetIds]}::uuid[]) as of_target(id)
    cross join unnest(${[...states]}::text[]) as of_state(name)
    cross join lateral (
      select id from runs
      where (target_id, state, id) >= (of_target.id, of_state.name, ${span.first}::uuid)
        and (target_id, state, id) < (of_target.id, of_state.name, ${span.end}::uuid)
        and state in ('retrying', 'failed', 'skipped', 'cancelled')
      order by target_id desc, state desc, id desc limit ${limit}::int
    ) newest
    order by newest.id desc limit ${limit}::int`;
}

/** Every stored state that can be shown as a status. */
function statesOf(status: RunStatus | undefined): readonly string[] {
  switch (status) {
    case undefined:
      return storedRunStates;
    case "running":
    case "held":
      return openRunStates;
    default:
      return [status];
  }
}
