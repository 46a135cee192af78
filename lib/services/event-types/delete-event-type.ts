import { z } from "zod";
import { eventTypeNotFound, removeEventType } from "#lib/db/event-types/event-types.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Removes an entry of the catalog. Events that were published keep their type. */
export const deleteEventType = service({
  permission: "subscriptions:write",
  input: z.strictObject({ name: recordId }),
  run: async (context, { name }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      if (!(await removeEventType(tx, context.actor.accountId, name))) throw eventTypeNotFound();
      const targets = [{ type: "event_type", id: name }];
      await audit(context, { event: "event_type.deleted", targets }, tx);
    });
  },
});
