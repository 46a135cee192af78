import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { takesVerifyToken, toVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import { isComplete } from "#lib/core/verify/hook/hook-rules.ts";
import { findHandshakes } from "#lib/core/verify/hook/hook-verifier.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";

export function providerName(id: string): string {
  if (id === "generic") return "Other (unsigned)";
  if (id === "custom") return "Custom signature";
  return findProvider(id)?.name ?? id;
}

/** The token to give the provider besides the catch URL; null if it wants none. */
export function readVerifyToken(hook: HookRecord): string | null {
  return takesVerifyToken(findHandshakes(hook)) ? toVerifyToken(hook.key) : null;
}

/**
 * True if the hook is set to verify and lacks its secret or settings, so deliveries are rejected,
 * or pending while it awaits them.
 */
export function isSecretMissing(hook: HookRecord): boolean {
  return !isComplete(hook, hook.secrets.length > 0);
}
