import { z } from "zod";
import { readActionStatistics, toRate } from "#lib/db/overview/statistics.ts";
import { findLastFailures, findLastOutcomes } from "#lib/db/runs/open-runs.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

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
