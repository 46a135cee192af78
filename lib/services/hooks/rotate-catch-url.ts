import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { deletePreviousKeys } from "#lib/db/hooks/previous-keys.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { catchUrlRotationSchema } from "#lib/schema/receive/hook.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { replaceCatchUrl } from "./change-path.ts";
import { generateHookKey } from "./hook-key.ts";

/**
 * Gives a hook a new generated catch URL, also if it had a path. The previous one works for another
 * `expirePreviousAfterSeconds` (0: it ends at once). A trigger on the row notifies every process in
 * the same transaction.
 */
export const rotateCatchUrl = service({
  permission: "hooks:write",
  input: catchUrlRotationSchema.extend({ id: recordId }),
  run: async (
    context,
    { id, keyPrefix, expirePreviousAfterSeconds: seconds },
  ): Promise<HookRecord> => {
    return await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      await replaceCatchUrl(tx, hook, seconds);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.catch_url.rotated", targets }, tx);
      return await changeHook(tx, id, { key: generateHookKey(keyPrefix) });
    });
  },
});

/** Ends every previous catch URL at once. */
export const endPreviousCatchUrls = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      await deletePreviousKeys(tx, hook.id);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.catch_url.ended", targets }, tx);
    });
  },
});
