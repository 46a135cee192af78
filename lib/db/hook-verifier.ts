import { isMacChallenge, tellsMacs } from "#lib/core/handshake/mac-challenge.ts";
import { redactStringValues } from "#lib/core/redact/redact-text.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { decodeSecret } from "#lib/core/verify/decode-secret.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";
import { providerSettingsSchema, verificationSchema } from "#lib/schema/verification.ts";
import { secretPlace } from "./hook-secrets.ts";

/** What of a hook decides how its deliveries are verified, as stored. */
export type StoredVerification = {
  readonly accountId: string;
  readonly provider: string;
  readonly verification: unknown;
  /** Those that pass now, newest first. */
  readonly secrets: readonly { readonly id: string; readonly ciphertext: Uint8Array }[];
};

/** A secret that does not open (another key, a moved row) does not count; with none left the hook refuses. */
export function openSecrets({ accountId, secrets }: StoredVerification, sealer: Sealer): string[] {
  return secrets.flatMap(({ id, ciphertext }) => {
    const opened = sealer.open(ciphertext, secretPlace(accountId, id));
    return opened.ok ? [Buffer.from(opened.plaintext).toString("utf8")] : [];
  });
}

/** Null: the hook verifies nothing. An unknown provider gives a verifier without a scheme, which refuses everything. */
export function createVerifier(hook: StoredVerification, secrets: readonly string[]): Verifier | null {
  const { provider } = hook;
  if (provider === "generic") return null;
  const scheme = findScheme(hook);
  const verifier = prepareVerifier({ name: provider, scheme, secrets, settings: findSettings(hook) });
  return tellsMacs(findProvider(provider)?.handshakes ?? [])
    ? refuseChallenges(verifier, provider)
    : verifier;
}

function refuseChallenges(verifier: Verifier, scheme: string): Verifier {
  return (request, nowMs, keys) =>
    isMacChallenge(request.body)
      ? { outcome: "failed", scheme, reason: "signature_mismatch", subject: null, skewSeconds: null }
      : verifier(request, nowMs, keys);
}

/** What the hook knows beside the secret; nothing where what was stored is something else. */
export function findSettings({ verification }: StoredVerification): Readonly<Record<string, string>> {
  const parsed = providerSettingsSchema.safeParse(verification);
  return parsed.success ? parsed.data.settings : {};
}

/** The bytes of the newest secret that can be used, for what is computed with it besides a signature. */
export function findKey(hook: StoredVerification, secrets: readonly string[]): Uint8Array | null {
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
 * Where the secret travels in the body (Figma, Microsoft Graph) it is sealed everywhere else: this takes it out of a body that
 * has been verified. Null for all other hooks.
 */
export function findBodyRedaction(
  hook: StoredVerification,
  secrets: readonly string[],
): ((body: Uint8Array) => Uint8Array) | null {
  const scheme = findScheme(hook);
  if (scheme?.kind !== "token" || scheme.source.from !== "body") return null;
  return (body) => redactStringValues(body, secrets);
}

function findScheme({ provider, verification }: StoredVerification): Scheme | undefined {
  if (provider !== "custom") return findProvider(provider)?.scheme;
  const parsed = verificationSchema.safeParse(verification);
  return parsed.success ? parsed.data : undefined;
}
