import { listActions } from "#lib/db/actions/actions.ts";
import { readTargetActivity } from "#lib/db/overview/target-activity.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

type Reader = Pick<ServerContext, "db">;

/** The maximum number of actions of a hook. */
const maxActions = 100;

/**
 * The runs of an action or a subscription in the last 24 hours, for `ActivityPlots`. Null: there are
 * none.
 */
export async function readPlots({ db }: Reader, accountId: string, targetId: string) {
  return await read(db, accountId, [targetId]);
}

/** The same of all actions of a hook. */
export async function readHookPlots({ db }: Reader, accountId: string, hookId: string) {
  const { items } = await listActions(db, accountId, hookId, { limit: maxActions });
  return items.length === 0
    ? null
    : await read(
        db,
        accountId,
        items.map(({ id }) => id),
      );
}

async function read(db: Reader["db"], accountId: string, targetIds: readonly string[]) {
  const { hours, runs, successRate, latency } = await readTargetActivity(db, accountId, targetIds);
  const sum = (counts: typeof runs) => Object.values(counts).reduce((all, one) => all + one, 0);
  if (sum(runs) === 0) return null;
  return {
    total: sum(runs),
    failed: runs.failed,
    retrying: runs.retrying,
    successRate,
    latency,
    hours: hours.map((hour) => ({
      runs: sum(hour.runs),
      failed: hour.runs.failed,
      p95Ms: hour.latency?.p95Ms ?? 0,
    })),
  };
}
