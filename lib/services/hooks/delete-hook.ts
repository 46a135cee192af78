import { markHookDeleted } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { byId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Deletes a hook and its secrets at once. Its stored deliveries are deleted soon after. */
export const deleteHook = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      await markHookDeleted(tx, hook.id);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.deleted", targets }, tx);
    });
  },
});
