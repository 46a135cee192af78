"use server";

import type { HookChange } from "#components/hook-settings/save-hook.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { checkIdentity, type IdentityCheck } from "#lib/services/hooks/check-identity.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import { expireHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveHookCommand(
  id: string,
  change: HookChange,
): Promise<CommandResult<null>> {
  return await changeByService(updateHook, { ...change, id }, nothing);
}

export async function expireSecretCommand(
  id: string,
  secretId: string,
): Promise<CommandResult<null>> {
  return await changeByService(expireHookSecret, { id, secretId }, nothing);
}

export async function rotateCatchUrlCommand(
  id: string,
  rotation: { readonly keyPrefix?: string; readonly expirePreviousAfterSeconds: number },
): Promise<CommandResult<null>> {
  return await changeByService(rotateCatchUrl, { ...rotation, id }, nothing);
}

export async function endPreviousCatchUrlsCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(endPreviousCatchUrls, { id }, nothing);
}

/** Tries an unsaved rule on the latest deliveries. */
export async function checkIdentityCommand(
  id: string,
  what: "dedupe" | "eventType",
  rule: unknown,
): Promise<CommandResult<IdentityCheck>> {
  return await askService(checkIdentity, { id, what, rule });
}
