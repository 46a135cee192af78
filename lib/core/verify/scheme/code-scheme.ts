/** Schemes that need code instead of data. Each is a small file in `providers/`. */
import type { VerifyFailure } from "./failure.ts";
import type { VerifyRequest } from "./request-view.ts";
import type { KeyLookup, KeySource } from "./signing-key.ts";

export type CodeScheme = {
  readonly kind: "code";
  /** The authentication of deliveries, for the list of providers. */
  readonly proof: string;
  /** The timestamp tolerance, if a timestamp is signed. */
  readonly window?: Window;
  /** The signature proves the origin, but not the whole content. */
  readonly bodyNotSigned?: true;
  /** Settings that a hook needs in addition to the secret. */
  readonly settings?: readonly ProviderSetting[];
  /** False if the provider publishes its keys, so there is nothing to paste. */
  readonly takesSecret: boolean;
  /** Lowercase headers with the signature or token. Empty if it is in the body or the URL. */
  readonly proofHeaders: readonly string[];
  /** Set if the provider signs with a private key. */
  readonly keyPair?: KeyPair;
  /** A message if the secret can't be used, else null. Never contains the secret. */
  readonly findSecretProblem: (secret: string) => string | null;
  /** The MAC key for handshakes, if it isn't the secret's UTF-8. */
  readonly toKeyBytes?: (secret: string) => Uint8Array;
  /** Prepares everything that all requests of a hook share. Null if no secret is usable. */
  readonly prepare: (options: CodeOptions) => CodeCheck | null;
  /** The inverse of verifying. For public keys, `secret` is the private key as PEM. */
  readonly sign: (input: CodeSignInput) => SignedDelivery;
};

/** `expiry`: the window counts from the token's expiry instead of its timestamp. */
export type Window = {
  readonly pastSeconds: number;
  readonly futureSeconds: number;
  readonly from?: "expiry";
};

/** A published public key is fetched from the provider. Otherwise the user pastes it. */
export type KeyPair = {
  readonly algorithm: "ed25519" | "ecdsa-p256-sha256" | "rsa-sha256" | "rsa-sha512";
  readonly isPublished: boolean;
};

/** A value that isn't secret, such as the provider's webhook id. */
export type ProviderSetting = {
  readonly name: string;
  readonly label: string;
  /** A description of the setting, and where the provider shows it. */
  readonly help: string;
  readonly example: string;
  readonly pattern: RegExp;
  /** The default of an optional setting. */
  readonly fallback?: string;
};

export type Settings = Readonly<Record<string, string>>;

export type CodeOptions = {
  /** Never blank. Unusable secrets are skipped. */
  readonly secrets: readonly string[];
  /** All settings are present and match their patterns. */
  readonly settings: Settings;
  readonly toleranceSeconds: number | undefined;
};

/** A key has to be fetched first. */
export type NeedsKey = { readonly needsKey: KeySource };

/** Verified, with the signed text, which allows replay protection. */
export type SignedText = { readonly signed: string | Uint8Array };

/** Null: verified. */
export type CodeCheck = (
  request: VerifyRequest,
  nowMs: number,
  keys: KeyLookup,
) => VerifyFailure | NeedsKey | SignedText | null;

export type CodeSignInput = {
  readonly secret: string;
  readonly settings: Settings;
  /** JSON, a form, or XML, before the provider wraps it. */
  readonly body: Uint8Array;
  readonly timestampMs: number;
  readonly id: string;
  readonly url: string;
  readonly method: string;
};

/** The delivery as sent. Header names are lowercase. */
export type SignedDelivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The requested URL. Some providers put the signature into its query. */
  readonly url: string;
};

/** Stored JSON has no functions, so it never counts as a code scheme. */
export function isCodeScheme(scheme: unknown): scheme is CodeScheme {
  if (typeof scheme !== "object" || scheme === null) return false;
  return (
    "kind" in scheme &&
    scheme.kind === "code" &&
    "prepare" in scheme &&
    typeof scheme.prepare === "function"
  );
}

/** The first setting that is missing or doesn't match its pattern. */
export function findSettingProblem(
  declared: readonly ProviderSetting[] | undefined,
  settings: Settings,
): { readonly setting: ProviderSetting; readonly isMissing: boolean } | null {
  for (const setting of declared ?? []) {
    const value = settings[setting.name];
    if (value === undefined) {
      if (setting.fallback === undefined) return { setting, isMissing: true };
    } else if (value.length > 500 || !setting.pattern.test(value))
      return { setting, isMissing: false };
  }
  return null;
}
