import { AppError } from "#lib/base/errors.ts";
import { openSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { findHandshakeSecret } from "#lib/db/hooks/hook-secrets.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { byId } from "#lib/schema/field/common.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

const shownMs = 86_400_000;

/**
 * The secret that the provider sent in a handshake, for an owner who has to enter it there (Notion).
 * It can be read for a day. Pasted secrets can never be read. Throws `not_found` if there is none.
 */
export const readHandshakeSecret = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<{ readonly secret: string }> => {
    const { db, sealer, now, actor } = context;
    const hook = await getHook(db, actor.accountId, id);
    const since = new Date(now().getTime() - shownMs);
    const sealed = await findHandshakeSecret(db, hook.id, since);
    if (sealed === null)
      throw new AppError(
        "not_found",
        "This hook received no secret from its provider within the last day.",
      );
    const secret = openSecret(actor.accountId, sealed, sealer);
    if (secret === null)
      throw new AppError(
        "conflict",
        "This server's key can't open the secret. It was sealed with another key.",
      );
    const targets = [{ type: "hook", id, name: hook.name }];
    await auditWithoutChange(context, { event: "hook.secret.read", targets });
    return { secret };
  },
});
