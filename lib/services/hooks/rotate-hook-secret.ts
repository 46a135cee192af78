import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { isComplete, requireUsableSecret } from "#lib/core/verify/hook/hook-rules.ts";
import { sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { SavedHook } from "#lib/db/hooks/hook-record.ts";
import { addHookSecret, countHookSecrets, expireHookSecrets } from "#lib/db/hooks/hook-secrets.ts";
import { changeHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { secretRotationSchema } from "#lib/schema/receive/hook.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/**
 * The maximum per hook. More would slow every rejection: each signature is compared with each
 * secret.
 */
const maxSecrets = 10;

/**
 * Adds a secret, which also ends the wait of a pending hook. Earlier secrets stay active for
 * `expirePreviousAfterSeconds` (0: they end at once) or until they expire anyway, by the database's
 * clock.
 */
export const rotateHookSecret = service({
  permission: "hooks:write",
  input: secretRotationSchema.extend({ id: recordId }),
  run: async (context, { id, secret, expirePreviousAfterSeconds }): Promise<SavedHook> => {
    const { accountId } = context.actor;
    return await context.db.$transaction(async (tx) => {
      const before = await lockHook(tx, accountId, id);
      const warnings = requireUsableSecret(before, secret, "secret");
      await expireHookSecrets(tx, before.id, expirePreviousAfterSeconds);
      if ((await countHookSecrets(tx, before.id)) >= maxSecrets) {
        const detail =
          `A hook has at most ${maxSecrets} secrets at a time. Wait for one ` +
          "to expire, or set expirePreviousAfterSeconds to 0.";
        throw new AppError("conflict", detail);
      }
      const sealed = sealHookSecret(context.sealer, { id: newId(), accountId }, secret);
      await addHookSecret(tx, { ...sealed, hookId: id });
      const columns = isComplete(before, true) ? { pendingSince: null } : {};
      const hook = await changeHook(tx, before.id, columns);
      const targets = [{ type: "hook", id, name: hook.name }];
      await audit(context, { event: "hook.secret.rotated", targets, before, after: hook }, tx);
      return { hook, warnings };
    });
  },
});
