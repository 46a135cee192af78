import { lastId, toIdSpan } from "#lib/core/api/page.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import { maxFailedRuns } from "#lib/schema/act/run-limits.ts";

/** Runs of one action or subscription. */
type TargetRuns = {
  readonly failed: number;
  /** The last attempt failed, and another one follows. */
  readonly retrying: number;
};

export type FailedRuns = {
  /** Of all actions and subscriptions, deleted ones too: as many as the list of runs has. */
  readonly failed: number;
  readonly byTarget: ReadonlyMap<string, TargetRuns>;
};

type Counted = {
  /** Unix milliseconds: when the failed runs were created, inclusive and exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Actions and subscriptions whose runs are counted on their own. */
  readonly targetIds: readonly string[];
};

/**
 * Counts failed runs in two indexes, without reading a run. Those that are retried are counted however old they are.
 */
export async function countFailedRuns(
  db: Database,
  accountId: string,
  { from, to, targetIds }: Counted,
): Promise<FailedRuns> {
  const { first, end } = toIdSpan({ from, to }, lastId);
  const rows = await db.$transaction(async (tx) => {
    await walkAlongIndexes(tx);
    return await tx.$queryRaw<({ id: string | null } & TargetRuns)[]>`
      select null::uuid as id, 0 as retrying, (
        select count(*) from (
          select from runs
          where account_id = ${accountId}::uuid and state = 'failed' and id >= ${first}::uuid and id < ${end}::uuid
          limit ${maxFailedRuns}::int
        ) of_account
      )::int as failed
      union all
      select target.id, (
        select count(*) from (
          select from queue
          where account_id = ${accountId}::uuid and target_id = target.id and reason_code is not null
          limit ${maxFailedRuns}::int
        ) open
      )::int, (
        select count(*) from (
          select from runs
          where target_id = target.id and state = 'failed' and id >= ${first}::uuid and id < ${end}::uuid
          limit ${maxFailedRuns}::int
        ) of_target
      )::int
      from (
        select id from actions where account_id = ${accountId}::uuid and id = any (${[...targetIds]}::uuid[])
        union all
        select id from subscriptions where account_id = ${accountId}::uuid and id = any (${[...targetIds]}::uuid[])
      ) target`;
  });
  const all = rows.find(({ id }) => id === null);
  return {
    failed: all?.failed ?? 0,
    byTarget: new Map(rows.flatMap(({ id, ...runs }) => (id === null ? [] : [[id, runs]]))),
  };
}
