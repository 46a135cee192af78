import type { Sealer } from "#lib/core/seal/sealer.ts";
import { decodeSecret } from "#lib/core/verify/decode-secret.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";
import {
  type MacVerification,
  providerSettingsSchema,
  verificationSchema,
} from "#lib/schema/verification.ts";
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
  const { provider, verification } = hook;
  if (provider === "generic") return null;
  const parsed = providerSettingsSchema.safeParse(verification);
  const settings = parsed.success ? parsed.data.settings : {};
  return prepareVerifier({ name: provider, scheme: findScheme(hook), secrets, settings });
}

/** The bytes of the newest secret that can be used, for what is computed with it besides a signature. */
export function findKey(hook: StoredVerification, secrets: readonly string[]): Uint8Array | null {
  const scheme = findScheme(hook);
  const mac = isMac(scheme) ? scheme : null;
  const keys = secrets.map((secret) =>
    mac === null ? Buffer.from(secret, "utf8") : decodeSecret(mac, secret),
  );
  return keys.find((key) => key !== null) ?? null;
}

function findScheme({ provider, verification }: StoredVerification): unknown {
  if (provider !== "custom") return findProvider(provider)?.scheme;
  const parsed = verificationSchema.safeParse(verification);
  return parsed.success ? parsed.data : undefined;
}

function isMac(scheme: unknown): scheme is MacVerification {
  return typeof scheme === "object" && scheme !== null && "kind" in scheme && scheme.kind === "mac";
}
