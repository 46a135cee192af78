import { AppError } from "#lib/base/errors.ts";
import {
  type LockedDelivery,
  lockDelivery,
  queueReplay,
  readEnabled,
} from "#lib/db/deliveries/replay-delivery.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { readRuns } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { isReplayable, replaySchema } from "#lib/schema/receive/delivery.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Queues new runs of a delivery: for the hook's enabled actions, or for the given ones. Accepted
 * deliveries and duplicates can be replayed. Rejected ones can't: they were never proven to come from
 * the provider. Returns the new runs.
 */
export const replayDelivery = service({
  permission: "deliveries:write",
  input: replaySchema.extend({ id: recordId }),
  run: async (context, { id, actionIds }): Promise<readonly RunRecord[]> => {
    const { db, actor } = context;
    const ids = await db.$transaction(async (tx) => {
      const delivery = await lockDelivery(tx, actor.accountId, id);
      if (!isReplayable(delivery.status)) throw new AppError("conflict", whyNot(delivery));
      if (actionIds !== undefined) await requireEnabled(tx, delivery.hookId, actionIds);
      const queued = await queueReplay(tx, actor.accountId, delivery, actionIds);
      if (queued.length === 0) throw new AppError("conflict", nothingToRun);
      const targets = [{ type: "delivery", id }];
      await audit(context, { event: "delivery.replayed", targets }, tx);
      return queued;
    });
    notifyRunsDue(db);
    return await readRuns(db, actor.accountId, { ids, limit: ids.length });
  },
});

const nothingToRun = "The hook has no enabled action, so there is nothing to run.";

function whyNot({ status, reason }: LockedDelivery): string {
  switch (status) {
    case "pending":
      return (
        "This delivery is not verified yet, so it can't be replayed. Add the " +
        "hook's signing secret, then verify pending deliveries."
      );
    case "handshake":
      return "This was a handshake, not an event, so there is nothing to run.";
    case "batch":
      return "This request contained several events, stored as separate deliveries. Replay those.";
    default: {
      const why = reason === null ? "" : ` (${reason})`;
      return (
        `This delivery was rejected${why}, so it can't be replayed. Fix ` +
        "the cause and have the provider send it again."
      );
    }
  }
}

/** The enabled actions of this hook. A run of a disabled action would only wait. */
async function requireEnabled(
  tx: Transaction,
  hookId: string,
  actionIds: readonly string[],
): Promise<void> {
  const isEnabled = await readEnabled(tx, hookId, actionIds);
  for (const [index, id] of actionIds.entries()) {
    const path = `actionIds.${index}`;
    if (!isEnabled.has(id))
      throw new AppError("not_found", "The delivery's hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!isEnabled.get(id))
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
}
