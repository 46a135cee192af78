import type { Fix } from "#lib/core/diagnose/diagnosis.ts";
import { changeSecret } from "#lib/core/secret/change-secret.ts";
import { extendHookSecret } from "#lib/db/hooks/extend-hook-secret.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { updateHook } from "#lib/db/hooks/hooks.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { catchMethods, type HookPatch } from "#lib/schema/hook.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { type Diagnosed, diagnoseDelivery } from "./diagnose-delivery.ts";

type Request = {
  readonly accountId: string;
  readonly userId: string;
  readonly deliveryId: string;
  readonly code: string;
};

/**
 * Applies the fix of a diagnosis finding, with the same calls as the API. It diagnoses the delivery
 * again, so that no part of the fix comes from outside. Throws `conflict` if that finding or its
 * fix no longer exists. Returns the hook's id.
 */
export async function applyFix(
  context: ServerContext,
  { accountId, userId, deliveryId, code }: Request,
): Promise<string> {
  const diagnosed = await diagnoseDelivery(context, accountId, deliveryId);
  const fix = diagnosed.diagnosis.findings.find((finding) => finding.code === code)?.fix ?? null;
  if (fix === null) {
    throw new AppError(
      "conflict",
      "The hook has changed. Reload the page to see its current settings.",
    );
  }
  const { id: hookId } = diagnosed.hook;
  await apply(context, accountId, diagnosed, fix);
  log.info("hook.fixed", { accountId, userId, hookId, deliveryId, code, kind: fix.kind });
  return hookId;
}

async function apply(
  { db, sealer }: ServerContext,
  accountId: string,
  { hook, facts }: Diagnosed,
  fix: Fix,
): Promise<void> {
  const update = (patch: HookPatch) => updateHook(db, accountId, hook.id, patch, sealer);
  switch (fix.kind) {
    case "change_provider":
      await update({ provider: fix.provider });
      return;
    case "change_verification":
      // Written out, because otherwise they would change to the new provider's defaults.
      await update({
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
      await update({ methods });
      return;
    }
    case "extend_secret":
      await extendHookSecret(db, accountId, hook.id, fix);
      return;
    case "replace_secret": {
      const old = facts.secrets.find(({ id }) => id === fix.secretId);
      if (old === undefined) throw new Error("the diagnosis names a secret that it was not given");
      const secret = changeSecret(old.text, fix.change);
      await rotateHookSecret(
        db,
        accountId,
        hook.id,
        { secret, expirePreviousAfterSeconds: overlapSeconds },
        sealer,
      );
      return;
    }
    default:
      fix satisfies never;
  }
}

/** As the fix says: the current secret stays valid for another day. */
const overlapSeconds = 86_400;
