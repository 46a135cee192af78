import { findProvider } from "#lib/core/verify/providers.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";

export function providerName(id: string): string {
  if (id === "generic") return "Not signed";
  if (id === "custom") return "Custom signature";
  return findProvider(id)?.name ?? id;
}

/** It is set to verify and has nothing to verify with: everything is refused. */
export function isSecretMissing(hook: HookRecord): boolean {
  return hook.provider !== "generic" && hook.secrets.length === 0;
}
