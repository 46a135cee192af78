import { invalidField } from "#lib/base/errors.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findSimilarProvider } from "#lib/core/providers/catalog/find-similar-provider.ts";
import { findReplayProtection } from "#lib/core/providers/catalog/replay-protection.ts";
import { allOf, byContent, inBody } from "#lib/core/providers/shapes/places.ts";
import { signedDedupe, unsignedDedupe } from "#lib/core/providers/shapes/unknown-identity.ts";
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import { findMissingPart, type MissingPart } from "#lib/core/verify/scheme/missing-parts.ts";
import { findWindow, type Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { checkSecret, type SecretCheck } from "#lib/core/verify/scheme/secret.ts";
import { toScheme } from "#lib/core/verify/to-scheme.ts";
import {
  type DedupeRule,
  defaultEventTypeRule,
  type EventTypeRule,
} from "#lib/schema/receive/event-rules.ts";
import { pendingLimits } from "#lib/schema/receive/pending-limits.ts";
import type { HookVerification } from "#lib/schema/receive/verification.ts";

/** The fields that decide whether and how a hook verifies. */
export type VerificationRule = {
  readonly provider: string;
  readonly verification: HookVerification | null;
};

/** Throws `invalid_request` if provider and verification don't match. */
export function requireVerification({ provider, verification }: VerificationRule): void {
  if (provider === "custom") {
    if (readScheme(verification) !== null) return;
    throw invalidField(
      "verification",
      'is required and must describe a scheme, because provider is "custom"',
      "required",
    );
  }
  const unknown = describeUnknownProvider(provider);
  if (unknown !== null)
    throw invalidField("provider", unknown, "unknown_value", { name: provider });
  if (readScheme(verification) !== null) {
    throw invalidField(
      "verification",
      'must be left out, unless provider is "custom"',
      "not_allowed",
    );
  }
  requireSettings(findProvider(provider)?.scheme, readSettings(verification));
}

/** The error of a provider that doesn't exist, with the most similar one. Null: it exists. */
export function describeUnknownProvider(provider: string): string | null {
  if (provider === "generic" || provider === "custom" || findProvider(provider) !== undefined)
    return null;
  const similar = findSimilarProvider(provider);
  const question = similar === null ? "" : ` Did you mean \`${similar}\`?`;
  return `is unknown.${question} GET /api/v1/providers lists all providers`;
}

/**
 * Throws `invalid_request` if replay protection is requested and there is nothing to base it on.
 */
export function requireReplayProtection(
  rule: VerificationRule,
  wanted: boolean | null | undefined,
): void {
  if (wanted !== true) return;
  const scheme = readScheme(rule.verification);
  const owner = findProvider(rule.provider) ?? (scheme === null ? null : { scheme, eventId: [] });
  const found = owner === null ? null : findReplayProtection(owner);
  if (found?.isPossible === true) return;
  throw invalidField(
    "replayProtection",
    `can't be true: ${found?.why ?? "this hook verifies nothing"}`,
    "not_allowed",
  );
}

/**
 * Settings may be missing, since many providers show them only after they have the URL. They must
 * not be wrong.
 */
function requireSettings(scheme: Scheme | undefined, settings: Settings): void {
  const declared = scheme?.kind === "code" ? (scheme.settings ?? []) : [];
  for (const [name, value] of Object.entries(settings)) {
    const path = `verification.settings.${name}`;
    const setting = declared.find((known) => known.name === name);
    if (setting === undefined) {
      const names = declared.map((known) => known.name).join(", ");
      throw invalidField(
        path,
        names === "" ? "doesn't apply to this provider: leave it out" : `is unknown: use ${names}`,
        "unknown_field",
        { name },
      );
    }
    if (!setting.pattern.test(value)) throw invalidField(path, `must look like ${setting.example}`);
  }
}

/** Throws `invalid_request` for a tolerance that nothing would use. */
export function requireTolerance(rule: VerificationRule, toleranceSeconds: number | null): void {
  if (toleranceSeconds === null || defaultTolerance(rule) !== null) return;
  throw invalidField(
    "toleranceSeconds",
    "must be null: this hook's scheme signs no time",
    "not_allowed",
  );
}

/** The default tolerance for a signed time, in seconds. Null: no time is signed. */
export function defaultTolerance({ provider, verification }: VerificationRule): number | null {
  const scheme = findProvider(provider)?.scheme ?? readScheme(verification);
  return scheme === null ? null : (findWindow(scheme)?.pastSeconds ?? null);
}

/** The scheme of a `custom` hook, or null. */
export function readScheme(verification: HookVerification | null): Scheme | null {
  return verification === null || "settings" in verification ? null : toScheme(verification);
}

/** Reads stored values too. Anything not in this form has no settings. */
export function readSettings(verification: HookVerification | null): Settings {
  return verification !== null && "settings" in verification ? verification.settings : {};
}

/** True if deliveries of this hook have to be signed. */
export function isVerifying({ provider }: { readonly provider: string }): boolean {
  return provider !== "generic";
}

/**
 * True if the provider sends the secret itself in a handshake, so that there is nothing to paste
 * and the hook has to wait for it.
 */
export function isSecretFromHandshake({ provider }: { readonly provider: string }): boolean {
  return (
    findProvider(provider)?.handshakes?.some(({ reply }) => reply.kind === "keepSecret") ?? false
  );
}

/** Throws `invalid_request` for a hook that isn't missing anything. */
export function requireCanBePending(rule: VerificationRule, hasSecret: boolean): void {
  if (!isComplete(rule, hasSecret)) return;
  throw invalidField(
    "status",
    "can't be \"pending\": this hook isn't missing anything",
    "not_allowed",
  );
}

/**
 * Checks a secret against its scheme. `path` is the input field. Throws `invalid_request` for a
 * secret that could never verify anything. Returns warnings for one that probably won't.
 */
export function requireUsableSecret(
  rule: VerificationRule,
  secret: string,
  path: "signingSecret" | "secret",
): readonly string[] {
  const checked = checkRuleSecret(rule, secret);
  if (!checked.ok) throw invalidField(path, checked.message);
  return checked.warnings;
}

/** Like `requireUsableSecret`, but returns the problem, for a secret that wasn't just pasted. */
export function checkRuleSecret(
  { provider, verification }: VerificationRule,
  secret: string,
): SecretCheck {
  const owner = findProvider(provider) ?? readScheme(verification);
  if (owner !== null) return checkSecret(owner, secret);
  const message =
    'doesn\'t apply: a "generic" hook verifies nothing. Choose the provider that signs';
  return { ok: false, message };
}

/** The default rules for the provider's events. */
export function defaultDedupe(provider: string): DedupeRule {
  const known = findProvider(provider);
  if (known !== undefined) return toRule(known.eventId);
  return toRule(provider === "custom" ? signedDedupe : unsignedDedupe);
}

/**
 * The default, and that of earlier versions, in which an `id` counted alone in every shape. Hooks
 * that have it keep it, until their provider changes.
 */
export function listDedupeDefaults(provider: string): readonly [DedupeRule, ...DedupeRule[]] {
  const former = formerDedupe[provider];
  return [defaultDedupe(provider), ...(former === undefined ? [] : [former])];
}

const formerId: DedupeRule = { from: "body", path: "id" };
const formerContent: DedupeRule = [
  { ...allOf(inBody("id"), byContent), withinSeconds: 86_400 },
  { ...byContent, withinSeconds: 86_400 },
];
const formerDedupe: Readonly<Record<string, DedupeRule>> = {
  generic: formerId,
  custom: formerId,
  bearer: formerContent,
  "basic-auth": formerContent,
};

export function defaultEventType(provider: string): EventTypeRule {
  return toRule(findProvider(provider)?.eventType) ?? defaultEventTypeRule;
}

/** The part that a hook needs before it can verify anything. Null: complete. */
function findMissing(rule: VerificationRule, hasSecret: boolean): MissingPart | null {
  const scheme = findProvider(rule.provider)?.scheme ?? readScheme(rule.verification);
  return scheme === null
    ? null
    : findMissingPart(scheme, hasSecret, readSettings(rule.verification));
}

/** True if the hook has everything that it could wait for. */
export function isComplete(rule: VerificationRule, hasSecret: boolean): boolean {
  return findMissing(rule, hasSecret) === null;
}

/** Tells the owner what to add before deliveries are accepted. Null if the hook is complete. */
export function warnAboutMissingPart(
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
    return (
      `This hook ${what}, so it rejects every delivery with 401. To store ` +
      `deliveries until you add it, set the hook's status to "pending".`
    );
  const { days, deliveries } = pendingLimits;
  return (
    `This hook ${what}. Until you add it, up to ${deliveries} deliveries within ${days} ` +
    "days are stored unverified and trigger no actions. After that they are rejected with 401."
  );
}

function toRule<Source>(sources: readonly Source[] | undefined): Source | Source[] | null {
  const [first, ...others] = sources ?? [];
  if (first === undefined) return null;
  return others.length === 0 ? first : [first, ...others];
}
