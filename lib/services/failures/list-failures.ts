import { type FailureGroup, listFailures as findFailures } from "#lib/db/failures/list-failures.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { failureBars, failureQuerySchema, failuresSpanMs } from "#lib/schema/act/failure.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { service } from "#lib/services/frame/service.ts";

/** Failed runs with the same reason, and the last one of them. */
export type Failure = FailureGroup & { readonly example: RunListItem };

export type FailureList = {
  readonly failures: readonly Failure[];
  /** Groups beyond these. */
  readonly more: number;
  /** False: only the newest runs are counted, because there are too many. */
  readonly isComplete: boolean;
  readonly from: Date;
  readonly to: Date;
};

const maxGroups = 100;

/** Failed runs, grouped by action or subscription and reason. */
export const listFailures = service({
  permission: "deliveries:read",
  input: failureQuerySchema,
  run: async ({ db, actor, now }, query): Promise<FailureList> => {
    const to = query.to ?? now().getTime();
    const from = query.from ?? to - failuresSpanMs;
    const { accountId } = actor;
    const { groups, ...rest } = await findFailures(db, accountId, {
      from,
      // A start in the future finds nothing.
      to: Math.max(to, from + 1),
      isUntilNow: query.to === undefined,
      bars: failureBars,
      limit: maxGroups,
    });
    const ids = groups.map(({ lastRunId }) => lastRunId);
    const runs = new Map((await readRunRows(db, accountId, ids)).map((run) => [run.id, run]));
    const failures = groups.flatMap((group) => {
      const example = runs.get(group.lastRunId);
      // It was retried a moment ago.
      return example === undefined ? [] : [{ ...group, example }];
    });
    return { failures, ...rest, from: new Date(from), to: new Date(to) };
  },
});
