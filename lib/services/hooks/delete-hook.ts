import { markHookDeleted } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import {
  findRegistration,
  forgetRegistration,
  markRemoving,
} from "#lib/db/registrations/registrations.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { deleteHookSchema } from "#lib/schema/receive/hook.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * Deletes a hook and its secrets at once. Its stored deliveries are deleted soon after. Its webhook at the provider
 * stays there, unless it is to be removed too.
 */
export const deleteHook = service({
  permission: "hooks:write",
  input: deleteHookSchema.extend({ id: recordId }),
  run: async (context, { id, removeRegistration = false }): Promise<void> => {
    const { accountId } = context.actor;
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, accountId, id);
      const registration = await findRegistration(tx, accountId, hook.id);
      if (registration !== null && removeRegistration)
        await markRemoving(tx, accountId, registration);
      else if (registration !== null) await forgetRegistration(tx, accountId, registration);
      await markHookDeleted(tx, hook.id);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.deleted", targets }, tx);
    });
  },
});
