import { takesVerifyToken, toVerifyToken } from "#lib/core/handshake/verify-token.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { isComplete } from "#lib/db/hook-rules.ts";

export function providerName(id: string): string {
  if (id === "generic") return "Not signed";
  if (id === "custom") return "Custom signature";
  return findProvider(id)?.name ?? id;
}

/** What to give the sender beside the catch URL, where it wants that; else null. */
export function readVerifyToken({ provider, key }: HookRecord): string | null {
  return takesVerifyToken(findProvider(provider)?.handshakes) ? toVerifyToken(key) : null;
}

/** It is set to verify and lacks what it takes: everything is refused, or kept unverified while it waits. */
export function isSecretMissing(hook: HookRecord): boolean {
  return !isComplete(hook, hook.secrets.length > 0);
}
