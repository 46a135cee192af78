import { z } from "zod";
import { lockDestination, removeDestination } from "#lib/db/destinations/destinations.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requireUnused } from "./require-unused.ts";

/** Deletes a destination. Throws `conflict` while an action uses it. */
export const deleteDestination = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId }),
  run: async (context, { id }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      const { name } = await lockDestination(tx, accountId, id);
      await requireUnused(tx, accountId, id, "Choose another one there first.");
      await removeDestination(tx, id);
      const targets = [{ type: "destination", id, name }];
      await audit(context, { event: "destination.deleted", targets }, tx);
    });
  },
});
