import { z } from "zod";
import { placeActions } from "#lib/db/actions/actions.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Reorders the actions of a hook. Those that are not named follow in their current order. */
export const orderActions = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, actionIds: z.array(z.uuid()).max(100) }),
  run: async (context, { id, actionIds }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const hook = await lockHook(tx, actor.accountId, id);
      await placeActions(tx, hook.id, actionIds);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.actions.ordered", targets }, tx);
    });
  },
});
