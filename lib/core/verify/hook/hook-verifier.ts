import { redactStringValues } from "#lib/core/people/redact/redact-text.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import {
  findReplayProtection,
  isIdentitySigned,
  type ReplayProtection,
} from "#lib/core/providers/catalog/replay-protection.ts";
import { toHandshakes } from "#lib/core/verify/handshake/custom-handshakes.ts";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import { exposesMacs, isMacChallenge } from "#lib/core/verify/handshake/mac-challenge.ts";
import { decodeSecret } from "#lib/core/verify/scheme/decode-secret.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { toScheme } from "#lib/core/verify/to-scheme.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";
import type { DedupeSource } from "#lib/schema/receive/event-rules.ts";
import { providerSettingsSchema, verificationSchema } from "#lib/schema/receive/verification.ts";

/** The parts of a hook that decide how its deliveries are verified, as stored. */
export type VerificationRow = {
  readonly provider: string;
  readonly verification: unknown;
  readonly toleranceSeconds: number | null;
  /** Null: the default of the provider. */
  readonly replayProtection: boolean | null;
};

/**
 * `ignoreTimestamp`: the signed time is not checked, because the owner accepts the delivery later.
 */
export type VerifierChoice = { readonly ignoreTimestamp?: boolean };

/** A tolerance in seconds that accepts any time. */
const untimed = 1e12;

/**
 * Null: the hook verifies nothing. An unknown provider gets a verifier without a scheme, which
 * rejects everything.
 */
export function createVerifier(
  hook: VerificationRow,
  secrets: readonly string[],
  choice: VerifierChoice = {},
): Verifier | null {
  const { provider } = hook;
  if (provider === "generic") return null;
  const scheme = findScheme(hook);
  const verifier = prepareVerifier({
    name: provider,
    scheme,
    secrets,
    settings: findSettings(hook),
    toleranceSeconds:
      choice.ignoreTimestamp === true ? untimed : (hook.toleranceSeconds ?? undefined),
    tellsSigned: isReplayProtected(hook),
  });
  return exposesMacs(findHandshakes(hook)) ? rejectChallenges(verifier, provider) : verifier;
}

function rejectChallenges(verifier: Verifier, scheme: string): Verifier {
  return (request, nowMs, keys) =>
    isMacChallenge(request.body)
      ? {
          outcome: "failed",
          scheme,
          reason: "signature_mismatch",
          subject: null,
          skewSeconds: null,
        }
      : verifier(request, nowMs, keys);
}

type StoredRule = Pick<VerificationRow, "provider" | "verification">;

/** The default replay protection of a hook. Null: the hook verifies nothing. */
export function findHookReplayProtection(hook: StoredRule): ReplayProtection | null {
  const scheme = findScheme(hook);
  if (scheme === undefined) return null;
  return findReplayProtection(findProvider(hook.provider) ?? { scheme, eventId: [] });
}

/** True if a repeat of the same signed bytes is a duplicate for this hook. */
export function isReplayProtected(
  hook: StoredRule & Pick<VerificationRow, "replayProtection">,
): boolean {
  const found = findHookReplayProtection(hook);
  return found?.isPossible === true && (hook.replayProtection ?? found.isOn);
}

/** True if the same signed bytes always have the same identity with these sources. */
export function isHookIdentitySigned(hook: StoredRule, sources: readonly DedupeSource[]): boolean {
  const scheme = findScheme(hook);
  return scheme !== undefined && isIdentitySigned(scheme, sources);
}

/** The hook's settings, without the secret. Empty if something else is stored. */
export function findSettings({
  verification,
}: Pick<VerificationRow, "verification">): Readonly<Record<string, string>> {
  const parsed = providerSettingsSchema.safeParse(verification);
  return parsed.success ? parsed.data.settings : {};
}

/** The bytes of the newest usable secret, for computations other than signatures. */
export function findKey(hook: VerificationRow, secrets: readonly string[]): Uint8Array | null {
  const scheme = findScheme(hook);
  const keys = secrets.map((secret) => toKeyBytes(scheme, secret));
  return keys.find((key) => key !== null) ?? null;
}

function toKeyBytes(scheme: Scheme | undefined, secret: string): Uint8Array | null {
  if (scheme?.kind === "mac") return decodeSecret(scheme, secret);
  const toBytes = scheme?.kind === "code" ? scheme.toKeyBytes : undefined;
  return toBytes?.(secret) ?? Buffer.from(secret, "utf8");
}

/**
 * Removes the secret from a verified body where the provider sends it there (Figma, Microsoft
 * Graph), since it is sealed everywhere else. Null for all other hooks.
 */
export function findBodyRedaction(
  hook: VerificationRow,
  secrets: readonly string[],
): ((body: Uint8Array) => Uint8Array) | null {
  const scheme = findScheme(hook);
  if (scheme?.kind !== "token" || scheme.source.from !== "body") return null;
  return (body) => redactStringValues(body, secrets);
}

function findScheme({ provider, verification }: StoredRule): Scheme | undefined {
  if (provider !== "custom") return findProvider(provider)?.scheme;
  const parsed = verificationSchema.safeParse(verification);
  return parsed.success ? toScheme(parsed.data) : undefined;
}

/** The provider's handshakes, or the custom ones of the hook. */
export function findHandshakes({
  provider,
  verification,
}: Pick<VerificationRow, "provider" | "verification">): readonly Handshake[] {
  if (provider !== "custom") return findProvider(provider)?.handshakes ?? [];
  const parsed = verificationSchema.safeParse(verification);
  return parsed.success ? toHandshakes(parsed.data.handshakes ?? []) : [];
}
