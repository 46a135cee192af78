import { z } from "zod";
import { dismissNotice as hideNotice } from "#lib/db/subscriptions/notices.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Hides a notice about a subscription. Throws `not_found`. */
export const dismissNotice = service({
  permission: "subscriptions:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      await hideNotice(tx, context.actor.accountId, id);
      await audit(context, { event: "notice.dismissed", targets: [{ type: "notice", id }] }, tx);
    });
  },
});
