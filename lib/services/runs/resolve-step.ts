import { AppError } from "#lib/base/errors.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { markStepResolved } from "#lib/db/runs/run-steps.ts";
import { getRun, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { resolveStepSchema } from "#lib/schema/act/run.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Records what happened to a call whose outcome a crash hid. `repeat` makes the call again with the
 * same Idempotency-Key; `succeeded` and `failed` record that outcome. The run continues once all of
 * its waiting calls are resolved. Throws `conflict` if the call doesn't wait for a decision.
 */
export const resolveStep = service({
  permission: "deliveries:write",
  input: resolveStepSchema.extend({ id: recordId }),
  run: async (context, { id, ...resolution }): Promise<RunWithAttempts> => {
    const { db, actor } = context;
    await getRun(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markStepResolved(tx, actor.accountId, id, resolution)))
        throw new AppError("conflict", "No call of this step waits for a decision.");
      await audit(context, { event: "run.step.resolved", targets: [{ type: "run", id }] }, tx);
    });
    notifyRunsDue(db);
    return await getRun(db, actor.accountId, id);
  },
});
