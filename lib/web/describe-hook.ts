import { findProvider } from "#lib/core/verify/providers.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { warnOfMissingPart } from "#lib/db/hook-rules.ts";

export function providerName(id: string): string {
  if (id === "generic") return "Not signed";
  if (id === "custom") return "Custom signature";
  return findProvider(id)?.name ?? id;
}

/** It is set to verify and lacks what it takes: everything is refused. */
export function isSecretMissing(hook: HookRecord): boolean {
  return (
    warnOfMissingPart(hook, { hasSecret: hook.secrets.length > 0, isPending: hook.pending !== null }) !== null
  );
}
