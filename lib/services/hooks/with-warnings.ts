import { warnAboutMissingPart } from "#lib/core/verify/hook/hook-rules.ts";
import type { HookRecord, SavedHook } from "#lib/db/hooks/hook-record.ts";

/** Adds what the hook still lacks, if anything. */
export function withWarnings(hook: HookRecord, warnings: readonly string[]): SavedHook {
  const missing = warnAboutMissingPart(hook, {
    hasSecret: hook.secrets.length > 0,
    isPending: hook.pending !== null,
  });
  return { hook, warnings: missing === null ? warnings : [...warnings, missing] };
}
