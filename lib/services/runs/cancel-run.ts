import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { getRun, markRunCancelled, type RunWithAttempts } from "#lib/db/runs/runs.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Cancels a run that has not ended. The result of an attempt in flight is recorded as late and
 * changes nothing. Throws `conflict` if it has ended.
 */
export const cancelRun = service({
  permission: "deliveries:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<RunWithAttempts> => {
    const { db, actor } = context;
    await getRun(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markRunCancelled(tx, actor.accountId, id))) {
        const { status } = await getRun(tx, actor.accountId, id);
        const detail = `This run has already ended (${status}), so it can't be canceled.`;
        throw new AppError("conflict", detail);
      }
      await audit(context, { event: "run.canceled", targets: [{ type: "run", id }] }, tx);
    });
    return await getRun(db, actor.accountId, id);
  },
});
