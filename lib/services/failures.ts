import { isId } from "#lib/base/ids.ts";
import { countFailedRuns, type FailedRuns } from "#lib/db/failures/count-failed-runs.ts";
import { type FailureGroup, listFailures as findFailures } from "#lib/db/failures/list-failures.ts";
import {
  type FailureKey,
  muteFailures as mute,
  unmuteFailures as unmute,
} from "#lib/db/failures/muted-failures.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { failuresSpanMs } from "#lib/schema/act/run-limits.ts";
import {
  failedRunsSchema,
  failureBars,
  failureQuerySchema,
  muteFailureSchema,
} from "#lib/schema/watch/failure.ts";
import { audit } from "#lib/services/frame/audit.ts";
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

/** The number of failed runs: the one that every page shows. */
export const countFailures = service({
  permission: "deliveries:read",
  input: failedRunsSchema,
  run: ({ db, actor }, { targetIds, ...span }): Promise<FailedRuns> =>
    countFailedRuns(db, actor.accountId, { ...span, targetIds: targetIds.filter(isId) }),
});

/**
 * Mutes the failures of an action or a subscription with one reason until it changes. Throws
 * `not_found`.
 */
export const muteFailures = service({
  permission: "deliveries:write",
  input: muteFailureSchema,
  run: async (context, key): Promise<null> => {
    await context.db.$transaction(async (tx) => {
      await mute(tx, context.actor.accountId, key);
      await audit(context, { event: "failures.muted", targets: [toTarget(key)] }, tx);
    });
    return null;
  },
});

/** Ends it. Throws `not_found`. */
export const unmuteFailures = service({
  permission: "deliveries:write",
  input: muteFailureSchema,
  run: async (context, key): Promise<null> => {
    await context.db.$transaction(async (tx) => {
      await unmute(tx, context.actor.accountId, key);
      await audit(context, { event: "failures.unmuted", targets: [toTarget(key)] }, tx);
    });
    return null;
  },
});

function toTarget({ actionId, subscriptionId = "" }: FailureKey) {
  return actionId === undefined
    ? { type: "subscription", id: subscriptionId }
    : { type: "action", id: actionId };
}
