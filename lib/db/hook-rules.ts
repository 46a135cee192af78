import { findProvider, listProviders } from "#lib/core/verify/providers.ts";
import { checkSecret } from "#lib/core/verify/secret.ts";
import { AppError } from "#lib/errors.ts";
import {
  type DedupeRule,
  defaultDedupeRule,
  defaultEventTypeRule,
  type EventTypeRule,
} from "#lib/schema/hook.ts";
import type { Verification } from "#lib/schema/verification.ts";

/** What decides whether a hook verifies, and how. */
export type HookVerification = { readonly provider: string; readonly verification: Verification | null };

/** Throws `invalid_request` where provider and verification don't fit together. */
export function requireVerification({ provider, verification }: HookVerification): void {
  if (provider === "custom") {
    if (verification === null) throw refuse("verification", 'must be there, because provider is "custom"');
    return;
  }
  if (verification !== null) throw refuse("verification", 'must be left out, unless provider is "custom"');
  if (provider === "generic" || findProvider(provider) !== undefined) return;
  const known = ["generic", "custom", ...listProviders().map(({ id }) => id)];
  throw refuse("provider", `is not known: use one of ${known.join(", ")}`);
}

/** Whether deliveries of such a hook have to be signed. */
export function isVerifying({ provider }: { readonly provider: string }): boolean {
  return provider !== "generic";
}

/**
 * Checks a secret against the scheme it is for. `path` is the field that it came in. Throws `invalid_request` for one that could
 * never verify anything; returns warnings for one that probably won't.
 */
export function requireUsableSecret(
  { provider, verification }: HookVerification,
  secret: string,
  path: "signingSecret" | "secret",
): readonly string[] {
  const owner = findProvider(provider) ?? verification;
  if (owner === null) {
    throw refuse(path, 'has no use here: a "generic" hook verifies nothing; choose the provider that signs');
  }
  const checked = checkSecret(owner, secret);
  if (!checked.ok) throw refuse(path, checked.message);
  return checked.warnings;
}

/** What a hook does when nothing else was said: what its provider's events call for. */
export function defaultDedupe(provider: string): DedupeRule {
  return toRule(findProvider(provider)?.eventId) ?? defaultDedupeRule;
}

export function defaultEventType(provider: string): EventTypeRule {
  return toRule(findProvider(provider)?.eventType) ?? defaultEventTypeRule;
}

export const missingSecretWarning =
  "This hook has no signing secret yet, so every delivery is refused with 401 until one is added.";

function toRule<Source>(sources: readonly Source[] | undefined): Source | Source[] | null {
  const [first, ...others] = sources ?? [];
  if (first === undefined) return null;
  return others.length === 0 ? first : [first, ...others];
}

function refuse(path: string, message: string): AppError {
  return new AppError("invalid_request", `${path}: ${message}.`.replace(/\.\.$/, "."), {
    errors: [{ path, message }],
  });
}
