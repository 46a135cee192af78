import { invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { pendingSinceOfNew } from "#lib/core/verify/hook/hook-change.ts";
import { createHookSchema } from "#lib/core/verify/hook/hook-input.ts";
import { requirePathAllowed } from "#lib/core/verify/hook/hook-path.ts";
import {
  defaultDedupe,
  defaultEventType,
  requireReplayProtection,
  requireTolerance,
  requireUsableSecret,
  requireVerification,
} from "#lib/core/verify/hook/hook-rules.ts";
import { sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import type { SavedHook } from "#lib/db/hooks/hook-record.ts";
import { addHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { getHook, insertHook } from "#lib/db/hooks/hooks.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { requirePath } from "./change-path.ts";
import { generateHookKey } from "./hook-key.ts";
import { withWarnings } from "./with-warnings.ts";

/**
 * Creates a hook with a new catch URL. If `dedupe` or `eventType` is omitted, the provider's
 * default applies. A provider that signs may be added without its secret, because many show it only
 * once they have the URL. Until then the hook rejects deliveries, or is `pending` if requested or
 * if the provider sends the secret itself. A warning says which.
 */
export const createHook = service({
  permission: "hooks:write",
  input: createHookSchema,
  run: async (context, input): Promise<SavedHook> => {
    const { sealer, now } = context;
    const { accountId } = context.actor;
    const { provider, signingSecret, keyPrefix, path, status: _, ...fields } = input;
    const rule = { provider, verification: input.verification ?? null };
    requireVerification(rule);
    requirePathAllowed(provider, path);
    if (path !== null && keyPrefix !== undefined)
      throw invalidField(
        "keyPrefix",
        "must be left out with path, which is the whole last segment",
        "not_allowed",
      );
    requireReplayProtection(rule, input.replayProtection);
    const warnings =
      signingSecret === undefined ? [] : requireUsableSecret(rule, signingSecret, "signingSecret");
    requireTolerance(rule, input.toleranceSeconds);
    const id = newId();
    const row = {
      ...fields,
      ...rule,
      id,
      accountId,
      key: generateHookKey(keyPrefix),
      dedupe: input.dedupe === undefined ? defaultDedupe(provider) : input.dedupe,
      eventType: input.eventType === undefined ? defaultEventType(provider) : input.eventType,
      replayProtection: input.replayProtection ?? null,
      pendingSince: pendingSinceOfNew(input, rule, now()),
    };
    const hook = await context.db.$transaction(async (tx) => {
      await insertHook(tx, row);
      if (path !== null) await requirePath(tx, { id, accountId, path });
      if (signingSecret !== undefined) {
        const sealed = sealHookSecret(sealer, { id: newId(), accountId }, signingSecret);
        await addHookSecret(tx, { ...sealed, hookId: id });
      }
      const targets = [{ type: "hook", id, name: input.name }];
      await audit(context, { event: "hook.created", targets }, tx);
      return await getHook(tx, accountId, id);
    });
    return withWarnings(hook, warnings);
  },
});
