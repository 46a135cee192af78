import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { findActionsByName } from "#lib/db/actions/action-names.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import {
  getVersion as findVersion,
  listVersions as findVersions,
  type StoredVersion,
} from "#lib/db/actions/action-versions.ts";
import { getAction as findAction, listActions as findActions } from "#lib/db/actions/actions.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { readActionStatistics, toRate } from "#lib/db/overview/statistics.ts";
import { readBreaker } from "#lib/db/queue/control/breakers.ts";
import { findLastFailures, findLastOutcomes } from "#lib/db/runs/open-runs.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import { startedFrom } from "#lib/schema/act/version.ts";
import type { BreakerState } from "#lib/schema/field/breaker.ts";
import { byId, filterText, pageFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { StoredVersion } from "#lib/db/actions/action-versions.ts";
export type { ActionRecord };

export type ActionWithBreaker = {
  readonly action: ActionRecord;
  readonly breakerState: BreakerState;
};

/** Returns an action of the account. Throws `not_found`. */
export const getAction = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<ActionWithBreaker> => {
    const action = await findAction(db, actor.accountId, id);
    return { action, breakerState: await readBreaker(db, action.id) };
  },
});

/** The actions of a hook, newest first. */
export const listActions = service({
  permission: "hooks:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: async ({ db, actor }, { id, ...page }) => {
    const hook = await getHook(db, actor.accountId, id);
    return await findActions(db, actor.accountId, hook.id, page);
  },
});

/** An action to show as a document without secrets, for the import of another hook. */
export const exportAction = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findAction(db, actor.accountId, id),
});

/** The versions of an action, newest first. */
export const listVersions = service({
  permission: "hooks:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: ({ db, actor }, { id, ...page }) => findVersions(db, actor.accountId, id, page),
});

/** One version with what it does, and the one that it is compared with. */
export const getVersion = service({
  permission: "hooks:read",
  input: z.strictObject({
    id: recordId,
    number: recordId,
    /** Default: the version before. */
    against: recordId
      .optional()
      .describe("The number of the version to compare with. Omitted: the version before"),
  }),
  run: ({ db, actor }, { id, number, against }) =>
    findVersion(
      db,
      actor.accountId,
      id,
      readVersionNumber(number),
      against === undefined ? undefined : readVersionNumber(against),
    ),
});

/** Actions with a text in their name or their hook's. Without a hook's id: those of all hooks. */
export const findNamedActions = service({
  permission: "hooks:read",
  input: z.strictObject({
    text: z.union([z.literal(""), filterText]),
    hookId: z.string(),
    limit: z.int(),
  }),
  run: ({ db, actor }, { text, hookId, limit }) =>
    findActionsByName(db, actor.accountId, { text, hookId: isId(hookId) ? hookId : null, limit }),
});

/** The version in force, compared with an earlier one instead of the one before it. */
export const compareWithCurrent = service({
  permission: "hooks:read",
  input: z.strictObject({ id: recordId, from: startedFrom }),
  run: async ({ db, actor }, { id, from }): Promise<StoredVersion> => {
    const { version } = await findAction(db, actor.accountId, id);
    return await findVersion(db, actor.accountId, id, version, from);
  },
});

const dayMs = 86_400_000;

/** The health of an action in the last 24 hours. */
type ActionHealth = {
  /** The result of the latest call. */
  readonly state: "working" | "failing";
  /** The success rate from 0 to 1. */
  readonly rate: number;
  /** The number of calls whose last attempt has ended. */
  readonly callCount: number;
  /** Null: none failed. */
  readonly lastError: { readonly reason: RunReason; readonly at: Date } | null;
};

/**
 * The health of these actions of a hook. Actions without calls have no entry. The last error is
 * read only for failed ones.
 */
export const readActionHealth = service({
  permission: "deliveries:read",
  input: z.strictObject({ hookId: recordId, actionIds: z.array(recordId) }),
  run: async (
    { db, actor: { accountId }, now },
    { hookId, actionIds },
  ): Promise<ReadonlyMap<string, ActionHealth>> => {
    if (actionIds.length === 0) return new Map();
    const [statistics, outcomes] = await Promise.all([
      readActionStatistics(db, accountId, hookId),
      findLastOutcomes(db, accountId, actionIds, now().getTime() - dayMs),
    ]);
    const failing = actionIds.filter((id) => {
      const runs = statistics.get(id);
      return (
        outcomes.get(id) === "failed" || (runs !== undefined && runs.failed + runs.retrying > 0)
      );
    });
    const errors = await findLastFailures(db, accountId, failing);
    return new Map(
      actionIds.flatMap((id) => {
        const runs = statistics.get(id);
        const rate = runs === undefined ? null : toRate(runs);
        if (runs === undefined || rate === null) return [];
        const { reason = null, at } = errors.get(id) ?? {};
        const health: ActionHealth = {
          state: outcomes.get(id) === "failed" ? "failing" : "working",
          rate,
          callCount: runs.succeeded + runs.failed + runs.retrying,
          lastError: reason === null || at === undefined ? null : { reason, at },
        };
        return [[id, health] as const];
      }),
    );
  },
});

/** The version's number from a path. Throws `not_found`: nothing else can be a version. */
export function readVersionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError("not_found", "There is no such version. Versions are numbers from 1.");
}
