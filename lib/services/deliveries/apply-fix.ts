import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Fix } from "#lib/core/verify/diagnose/diagnosis.ts";
import { changeSecret } from "#lib/core/verify/secret/change-secret.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { catchMethods } from "#lib/schema/receive/hook.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { extendHookSecret, rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { type Diagnosed, runDiagnosis } from "./diagnose-delivery.ts";

/**
 * Applies the fix of a diagnosis finding, with the same services as the API. It diagnoses the
 * delivery again, so that no part of the fix comes from outside. Throws `conflict` if that finding
 * or its fix no longer exists. Returns the hook's id.
 */
export const applyFix = service({
  permission: "hooks:write",
  input: z.strictObject({ id: recordId, code: z.string().max(64) }),
  run: async (context, { id, code }): Promise<string> => {
    const { accountId } = context.actor;
    const diagnosed = await runDiagnosis(context, id);
    const finding = diagnosed.diagnosis.findings.find((each) => each.code === code);
    const fix = finding?.fix ?? null;
    if (fix === null) {
      throw new AppError(
        "conflict",
        "The hook has changed. Reload the page to see its current settings.",
      );
    }
    await apply(context, diagnosed, fix);
    const hookId = diagnosed.hook.id;
    const by = context.actor.type === "user" ? { userId: context.actor.userId } : {};
    log.info("hook.fixed", { accountId, ...by, hookId, deliveryId: id, code, kind: fix.kind });
    return hookId;
  },
});

async function apply(
  context: ServiceContext,
  { hook: { id, ...hook }, facts }: Diagnosed,
  fix: Fix,
): Promise<void> {
  switch (fix.kind) {
    case "change_provider":
      await updateHook(context, { id, provider: fix.provider });
      return;
    case "change_verification":
      // Written out, because otherwise they would change to the new provider's defaults.
      await updateHook(context, {
        id,
        provider: "custom",
        verification: fix.verification,
        dedupe: hook.dedupe,
        eventType: hook.eventType,
      });
      return;
    case "allow_method": {
      const methods = catchMethods.filter(
        (method) => hook.methods.includes(method) || method === fix.method,
      );
      await updateHook(context, { id, methods });
      return;
    }
    case "extend_secret":
      await extendHookSecret(context, { id, secretId: fix.secretId, seconds: fix.seconds });
      return;
    case "replace_secret": {
      const old = facts.secrets.find(({ id }) => id === fix.secretId);
      if (old === undefined) throw new Error("the diagnosis names a secret that it was not given");
      const secret = changeSecret(old.text, fix.change);
      await rotateHookSecret(context, { id, secret, expirePreviousAfterSeconds: overlapSeconds });
      return;
    }
    default:
      fix satisfies never;
  }
}

/** The fix promises that the current secret stays valid for another day. */
const overlapSeconds = 86_400;
