/** Schemes that data can't say: each is a small file of code under `providers/`, and answers the same questions. */
import type { VerifyFailure } from "./failure.ts";
import type { VerifyRequest } from "./request-view.ts";
import type { KeyLookup, KeySource } from "./signing-key.ts";

export type CodeScheme = {
  readonly kind: "code";
  /** How it proves who sent it, for the page about senders. */
  readonly proof: string;
  /** Where a time is signed: how far it may be off, in seconds. */
  readonly window?: { readonly pastSeconds: number; readonly futureSeconds: number };
  /** Has to be said: the signature proves the origin and not the whole content. */
  readonly bodyNotSigned?: true;
  /** What a hook has to know beside the secret. */
  readonly settings?: readonly ProviderSetting[];
  /** False where nothing is pasted, because the sender publishes its keys. */
  readonly takesSecret: boolean;
  /** The sender signs with a private key, so nobody else can make what it sends. */
  readonly hasKeyPair?: true;
  /** The sentence to show when a secret can't be used, else null. Never repeats the secret. */
  readonly findSecretProblem: (secret: string) => string | null;
  /** The key of a MAC where it is not the secret's UTF-8, for handshakes that are answered with one. */
  readonly toKeyBytes?: (secret: string) => Uint8Array;
  /** Does what all requests of a hook share. Null when no secret is usable. */
  readonly prepare: (options: CodeOptions) => CodeCheck | null;
  /** The inverse, where one can have the key: for public keys `secret` is the private one, as PEM. */
  readonly sign: (input: CodeSignInput) => SignedDelivery;
};

/** A value that is no secret, such as the id that a sender has given the webhook. */
export type ProviderSetting = {
  readonly name: string;
  readonly label: string;
  /** What it is and where the sender shows it. */
  readonly help: string;
  readonly example: string;
  readonly pattern: RegExp;
  /** Where it may be left out: what counts then. */
  readonly fallback?: string;
};

export type Settings = Readonly<Record<string, string>>;

export type CodeOptions = {
  /** Not blank. Those that can't be used are left out. */
  readonly secrets: readonly string[];
  /** All that are required are there and fit their pattern. */
  readonly settings: Settings;
  readonly toleranceSeconds: number | undefined;
};

/** A key has to be fetched before anything can be said. */
export type NeedsKey = { readonly needsKey: KeySource };

/** Null: verified. */
export type CodeCheck = (
  request: VerifyRequest,
  nowMs: number,
  keys: KeyLookup,
) => VerifyFailure | NeedsKey | null;

export type CodeSignInput = {
  readonly secret: string;
  readonly settings: Settings;
  /** What is to be said: JSON, a form or XML, before the sender wraps it up. */
  readonly body: Uint8Array;
  readonly timestampMs: number;
  readonly id: string;
  readonly url: string;
  readonly method: string;
};

/** What goes over the wire. Header names are lower-case. */
export type SignedDelivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The URL that is called: some senders put the proof into its query. */
  readonly url: string;
};

/** Stored JSON has no functions, so it can never pass for code. */
export function isCodeScheme(scheme: unknown): scheme is CodeScheme {
  if (typeof scheme !== "object" || scheme === null) return false;
  return (
    "kind" in scheme && scheme.kind === "code" && "prepare" in scheme && typeof scheme.prepare === "function"
  );
}

/** The name of the first setting that is required and missing, or does not fit; null: all are well. */
export function findSettingProblem(
  declared: readonly ProviderSetting[] | undefined,
  settings: Settings,
): { readonly setting: ProviderSetting; readonly isMissing: boolean } | null {
  for (const setting of declared ?? []) {
    const value = settings[setting.name];
    if (value === undefined) {
      if (setting.fallback === undefined) return { setting, isMissing: true };
    } else if (value.length > 500 || !setting.pattern.test(value)) return { setting, isMissing: false };
  }
  return null;
}
