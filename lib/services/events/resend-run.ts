import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { service } from "#lib/services/frame/service.ts";
import { queueResend } from "./queue-resend.ts";

const byId = z.strictObject({ id: recordId });

/** Sends the event of a send again, to the same subscription. Returns the id of the new run. */
export const resendRun = service({
  permission: "sends:repeat",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<{ readonly runId: string }> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const { internalEventId, subscriptionId } = await getRun(db, actor.accountId, id, scope);
    if (internalEventId === null || subscriptionId === null)
      throw new AppError("conflict", "The event is no longer stored.");
    const only = { subscriptionIds: [subscriptionId], onlyFailed: false };
    const [runId] = await queueResend(context, internalEventId, only);
    if (runId === undefined) throw new Error("Nothing was queued");
    return { runId };
  },
});
