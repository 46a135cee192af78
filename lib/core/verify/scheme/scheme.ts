/**
 * A scheme is data (`lib/schema/receive/verification.ts`). It is compiled once, independently of requests
 * and secrets, and `verify.ts` runs the result.
 */

import type { JwtVerification } from "#lib/schema/receive/jwt-verification.ts";
import {
  type MacVerification,
  type PublicKeyVerification,
  type TokenVerification,
  type Verification,
  verificationSchema,
} from "#lib/schema/receive/verification.ts";
import { splitTemplate } from "#lib/schema/receive/verification-checks.ts";
import type { CodeScheme, Window } from "./code-scheme.ts";

/**
 * The authentication of a provider's deliveries: as data, like a user's custom scheme, or as code.
 */
export type Scheme = DataScheme | CodeScheme;
type DataScheme = Exclude<Verification, JwtVerification>;
export type MacScheme = MacVerification;
export type PublicKeyScheme = PublicKeyVerification;
/** Schemes with a signed text. */
export type SigningScheme = MacScheme | PublicKeyScheme;
export type TokenScheme =
  | TokenVerification
  | Exclude<DataScheme, { kind: "mac" | "publicKey" | "token" }>;

/** The timestamp tolerance of a scheme. Null if it signs no timestamp. */
export function findWindow(scheme: Scheme): Window | null {
  if (scheme.kind === "code") return scheme.window ?? null;
  return "timestamp" in scheme ? (scheme.timestamp ?? null) : null;
}

/**
 * A piece of the signed text: a constant, or a variable filled from the request, hook, or secret.
 */
type Segment = { readonly text: string } | { readonly variable: string };

/** The parts of a scheme that don't depend on the request or the secret. */
export type Compiled<S extends SigningScheme = SigningScheme> = {
  readonly scheme: S;
  readonly segments: readonly Segment[];
  /** The length of every signature. Null if it varies (DER) or depends on the key (RSA). */
  readonly signatureBytes: number | null;
  /** The parts of the signature header that the signed text uses. */
  readonly partKeys: readonly string[];
  /** Every header that the scheme reads. */
  readonly headerNames: readonly string[];
};
export type CompiledMac = Compiled<MacScheme> & { readonly kind: "mac" };
export type CompiledPublicKey = Compiled<PublicKeyScheme> & { readonly kind: "publicKey" };
type CompiledToken = { readonly kind: "token"; readonly scheme: TokenScheme };
type CompiledScheme = CompiledMac | CompiledPublicKey | CompiledToken;

const digestBytes = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;
const compiled = new WeakMap<object, CompiledScheme>();

/**
 * Validates and compiles a scheme. Caches the result for each object. Accepts `unknown`, since
 * schemes come from storage. Null if it isn't a valid scheme: the caller rejects everything.
 */
export function compileScheme(scheme: unknown): CompiledScheme | null {
  if (typeof scheme !== "object" || scheme === null) return null;
  const known = compiled.get(scheme);
  if (known !== undefined) return known;

  const parsed = verificationSchema.safeParse(scheme);
  if (!parsed.success) return null;
  // `toScheme` turns it into a code scheme.
  const result = parsed.data.kind === "jwt" ? null : compileParsed(parsed.data);
  if (result !== null) compiled.set(scheme, result);
  return result;
}

function compileParsed(scheme: DataScheme): CompiledScheme | null {
  switch (scheme.kind) {
    case "mac": {
      const signed = compileSigned(scheme, digestBytes[scheme.hash]);
      return signed === null ? null : { kind: "mac", ...signed };
    }
    case "publicKey": {
      const signed = compileSigned(scheme, scheme.algorithm === "ed25519" ? 64 : null);
      return signed === null ? null : { kind: "publicKey", ...signed };
    }
    default:
      return { kind: "token", scheme };
  }
}

function compileSigned<S extends SigningScheme>(
  scheme: S,
  signatureBytes: number | null,
): Compiled<S> | null {
  const pieces = splitTemplate(scheme.signed.template);
  if (pieces === null) return null;
  const sources = [...Object.values(scheme.signed.values ?? {}), scheme.timestamp?.source];
  return {
    scheme,
    segments: pieces.map((piece) => (typeof piece === "string" ? { text: piece } : piece)),
    signatureBytes,
    partKeys: [
      ...new Set(sources.flatMap((source) => (source?.from === "part" ? [source.key] : []))),
    ],
    headerNames: [...scheme.signature.sources, ...sources].flatMap((source) =>
      source?.from === "header" ? [source.name] : [],
    ),
  };
}
