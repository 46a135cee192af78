import { isReplayProtected } from "#lib/core/hook/hook-verifier.ts";
import type { HookRecord, SavedHook } from "#lib/db/hooks/hook-record.ts";
import { catchUrl } from "./catch-url.ts";
import { readVerifyToken } from "./describe-hook.ts";

/** A hook in the API's responses, with only hints of its secrets. */
export function showHook(hook: HookRecord, publicUrl: string) {
  const [newest] = hook.secrets;
  return {
    id: hook.id,
    name: hook.name,
    status: hook.status,
    catchUrl: catchUrl(publicUrl, hook),
    previousCatchUrls: hook.previousKeys.map(({ key, expiresAt }) => ({
      catchUrl: catchUrl(publicUrl, { ...hook, key }),
      expiresAt,
    })),
    provider: hook.provider,
    verification: hook.verification,
    dedupe: hook.dedupe,
    eventType: hook.eventType,
    methods: hook.methods,
    response: hook.response,
    splitBatches: hook.splitBatches,
    toleranceSeconds: hook.toleranceSeconds,
    replayProtection: isReplayProtected(hook),
    ratePerSecond: hook.ratePerSecond,
    publish: hook.publish,
    answer: hook.answer,
    pending: hook.pending,
    /** For a provider that needs one besides the URL. */
    verifyToken: readVerifyToken(hook),
    secretHint: newest?.hint ?? null,
    secrets: hook.secrets,
    createdAt: hook.createdAt,
    updatedAt: hook.updatedAt,
  };
}

export function showSavedHook({ hook, warnings }: SavedHook, publicUrl: string) {
  return { ...showHook(hook, publicUrl), warnings };
}
