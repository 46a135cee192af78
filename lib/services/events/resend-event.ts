import { readRuns } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { resendSchema } from "#lib/schema/send/event-query.ts";
import { service } from "#lib/services/frame/service.ts";
import { queueResend } from "./queue-resend.ts";

/** Sends an event again, to all subscriptions that match it now or to the given ones. */
export const resendEvent = service({
  permission: "events:write",
  input: resendSchema.extend({ id: recordId }),
  run: async (context, { id, ...resend }): Promise<readonly RunRecord[]> => {
    const ids = await queueResend(context, id, resend);
    return await readRuns(context.db, context.actor.accountId, { ids, limit: ids.length });
  },
});
