import type { Settings } from "#lib/core/verify/code-scheme.ts";
import { findMissingPart, type MissingPart } from "#lib/core/verify/missing-parts.ts";
import { findProvider, listProviders } from "#lib/core/verify/providers.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import { checkSecret } from "#lib/core/verify/secret.ts";
import { AppError } from "#lib/errors.ts";
import {
  type DedupeRule,
  defaultDedupeRule,
  defaultEventTypeRule,
  type EventTypeRule,
  pendingLimits,
} from "#lib/schema/hook.ts";
import type { HookVerification, Verification } from "#lib/schema/verification.ts";

/** What decides whether a hook verifies, and how. */
export type VerificationRule = { readonly provider: string; readonly verification: HookVerification | null };

/** Throws `invalid_request` where provider and verification don't fit together. */
export function requireVerification({ provider, verification }: VerificationRule): void {
  if (provider === "custom") {
    if (readScheme(verification) !== null) return;
    throw refuse("verification", 'must be there and spell out a scheme, because provider is "custom"');
  }
  const known = findProvider(provider);
  if (known === undefined && provider !== "generic") {
    const ids = ["generic", "custom", ...listProviders().map(({ id }) => id)];
    throw refuse("provider", `is not known: use one of ${ids.join(", ")}`);
  }
  if (readScheme(verification) !== null) {
    throw refuse("verification", 'must be left out, unless provider is "custom"');
  }
  requireSettings(known?.scheme, readSettings(verification));
}

/** Settings may be missing, because many senders show theirs only after they were given the URL; wrong they may not be. */
function requireSettings(scheme: Scheme | undefined, settings: Settings): void {
  const declared = scheme?.kind === "code" ? (scheme.settings ?? []) : [];
  for (const [name, value] of Object.entries(settings)) {
    const path = `verification.settings.${name}`;
    const setting = declared.find((known) => known.name === name);
    if (setting === undefined) {
      const names = declared.map((known) => known.name).join(", ");
      throw refuse(
        path,
        names === "" ? "has no use for this provider: leave it out" : `is not known: use ${names}`,
      );
    }
    if (!setting.pattern.test(value)) throw refuse(path, `must look like ${setting.example}`);
  }
}

/** The scheme that a `custom` hook spells out; null: it has none. */
export function readScheme(verification: HookVerification | null): Verification | null {
  return verification === null || "settings" in verification ? null : verification;
}

/** Takes what was read from storage as well: what is not of this form has no settings. */
export function readSettings(verification: HookVerification | null): Settings {
  return verification !== null && "settings" in verification ? verification.settings : {};
}

/** Whether deliveries of such a hook have to be signed. */
export function isVerifying({ provider }: { readonly provider: string }): boolean {
  return provider !== "generic";
}

/** Whether the sender gives its secret itself, in a handshake: then there is nothing to paste, and somebody has to wait for it. */
export function isSecretGiven({ provider }: { readonly provider: string }): boolean {
  return findProvider(provider)?.handshakes?.some(({ reply }) => reply.kind === "keepSecret") ?? false;
}

/** Throws `invalid_request` for a hook that has nothing to wait for. */
export function requireWaiting(rule: VerificationRule, hasSecret: boolean): void {
  if (!isComplete(rule, hasSecret)) return;
  throw refuse("status", 'can\'t be "pending": nothing is missing that this hook could wait for');
}

/**
 * Checks a secret against the scheme it is for. `path` is the field that it came in. Throws `invalid_request` for one that could
 * never verify anything; returns warnings for one that probably won't.
 */
export function requireUsableSecret(
  { provider, verification }: VerificationRule,
  secret: string,
  path: "signingSecret" | "secret",
): readonly string[] {
  const owner = findProvider(provider) ?? readScheme(verification);
  if (owner === null) {
    throw refuse(path, 'has no use here: a "generic" hook verifies nothing; choose the provider that signs');
  }
  const checked = checkSecret(owner, secret);
  if (!checked.ok) throw refuse(path, checked.message);
  return checked.warnings;
}

/** The same as a yes or no, for a secret that nobody pasted. */
export function isSecretUsable({ provider, verification }: VerificationRule, secret: string): boolean {
  const owner = findProvider(provider) ?? readScheme(verification);
  return owner !== null && checkSecret(owner, secret).ok;
}

/** What a hook does when nothing else was said: what its provider's events call for. */
export function defaultDedupe(provider: string): DedupeRule {
  return toRule(findProvider(provider)?.eventId) ?? defaultDedupeRule;
}

export function defaultEventType(provider: string): EventTypeRule {
  return toRule(findProvider(provider)?.eventType) ?? defaultEventTypeRule;
}

/** What a hook lacks before it can verify anything; null when all is there. */
function findMissing(rule: VerificationRule, hasSecret: boolean): MissingPart | null {
  const scheme = findProvider(rule.provider)?.scheme ?? readScheme(rule.verification);
  return scheme === null ? null : findMissingPart(scheme, hasSecret, readSettings(rule.verification));
}

/** Whether there is anything left that a hook could wait for. */
export function isComplete(rule: VerificationRule, hasSecret: boolean): boolean {
  return findMissing(rule, hasSecret) === null;
}

/** What the owner of a hook has to add before anything is accepted; null when all is there. */
export function warnOfMissingPart(
  rule: VerificationRule,
  { hasSecret, isPending }: { readonly hasSecret: boolean; readonly isPending: boolean },
): string | null {
  const missing = findMissing(rule, hasSecret);
  if (missing === null) return null;
  const what =
    missing.part === "secret"
      ? "has no signing secret yet"
      : `lacks verification.settings.${missing.setting.name} (${missing.setting.label})`;
  if (!isPending)
    return `This hook ${what}, so every delivery is refused with 401 until it is added. Set the hook's status to "pending" to keep what arrives meanwhile.`;
  const { days, deliveries } = pendingLimits;
  return `This hook ${what}. Until it is added, up to ${deliveries} deliveries within ${days} days are kept unverified and nothing runs on them; after that they are refused with 401.`;
}

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
