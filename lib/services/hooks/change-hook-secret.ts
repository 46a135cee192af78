import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { deleteHookSecret, extendSecret } from "#lib/db/hooks/hook-secrets.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** Ends one secret of a hook at once. Throws `not_found` if it is gone. */
export const expireHookSecret = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, secretId: z.uuid() }),
  run: async (context, { id, secretId }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      if (!(await deleteHookSecret(tx, hook.id, secretId)))
        throw new AppError("not_found", "This secret is no longer active.");
      // Processes that have cached the hook need to be notified.
      await changeHook(tx, hook.id, {});
      await audit(context, { event: "hook.secret.ended", targets: toTargets(hook, secretId) }, tx);
    });
  },
});

const dayInSeconds = 86_400;

/** Keeps an expiring or expired secret active from now. Throws `not_found` if it is gone. */
export const extendHookSecret = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    secretId: z.uuid(),
    seconds: z
      .int()
      .min(1)
      .max(30 * dayInSeconds),
  }),
  run: async (context, { id, ...change }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      const hook = await lockHook(tx, context.actor.accountId, id);
      if (!(await extendSecret(tx, hook.id, change)))
        throw new AppError("not_found", "This secret is no longer stored.");
      const targets = toTargets(hook, change.secretId);
      await audit(context, { event: "hook.secret.extended", targets }, tx);
    });
  },
});

function toTargets({ id, name }: HookRecord, secretId: string) {
  return [
    { type: "hook", id, name },
    { type: "hook_secret", id: secretId },
  ];
}
