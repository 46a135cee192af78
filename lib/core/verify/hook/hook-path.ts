import { invalidField } from "#lib/base/errors.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import { isSecretFromHandshake, isVerifying } from "./hook-rules.ts";

/**
 * Says why a hook of this provider needs a URL that no one can guess. Null: its signature or secret
 * proves the sender, so it can have a path.
 */
export function whyNoPath(provider: string): string | null {
  if (!isVerifying({ provider }))
    return "this hook verifies nothing, and anyone can guess a path. Choose the provider that signs first";
  const known = findProvider(provider);
  if (known === undefined) return null;
  if (known.isSecretKnown === true)
    return `${known.name} doesn't sign, and what it sends instead isn't secret, so the URL has to be`;
  if (isSecretFromHandshake({ provider }))
    return `${known.name} sends its secret to the URL, and anyone who guesses a path could send one first`;
  return isSignedForAnyone(known)
    ? `${known.name} signs for all of its customers alike, so the URL has to be secret`
    : null;
}

/** True if the provider publishes its keys, and nothing has to say which customer a hook is for. */
function isSignedForAnyone({ scheme }: NonNullable<ReturnType<typeof findProvider>>): boolean {
  if (takesSecret(scheme) || scheme.kind !== "code") return false;
  return (scheme.settings ?? []).every(({ fallback }) => fallback !== undefined);
}

/** Throws `invalid_request` if a hook of this provider can't have this path. */
export function requirePathAllowed(provider: string, path: string | null): void {
  const why = path === null ? null : whyNoPath(provider);
  if (why !== null) throw invalidField("path", `must be null: ${why}`, "not_allowed");
}
