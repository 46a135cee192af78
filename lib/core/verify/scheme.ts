/**
 * A scheme is data (`lib/schema/verification.ts`). Compiling does everything that does not depend on a
 * request or a secret, once; the interpreter in `verify.ts` runs the result.
 */
import {
  type MacVerification,
  type PublicKeyVerification,
  type TokenVerification,
  type Verification,
  verificationSchema,
} from "#lib/schema/verification.ts";
import { splitTemplate } from "#lib/schema/verification-checks.ts";
import type { CodeScheme } from "./code-scheme.ts";

/** How a sender proves who it is: as data, which a user can spell out as well, or as code. */
export type Scheme = Verification | CodeScheme;
export type MacScheme = MacVerification;
export type PublicKeyScheme = PublicKeyVerification;
/** Those that compute something over a signed text. */
export type SigningScheme = MacScheme | PublicKeyScheme;
export type TokenScheme = TokenVerification | Exclude<Verification, { kind: "mac" | "publicKey" | "token" }>;

/** One piece of the signed text: constant text, or a name that the request, the hook or the secret fills. */
type Segment = { readonly text: string } | { readonly variable: string };

/** What does not depend on request or secret, for both kinds with a signed text. */
export type Compiled<S extends SigningScheme = SigningScheme> = {
  readonly scheme: S;
  readonly segments: readonly Segment[];
  /** The length of every signature, or null where it differs from one to the next (DER) or with the key (RSA). */
  readonly signatureBytes: number | null;
  /** Whether the signed text needs what only a parsed signature header has. */
  readonly partKeys: readonly string[];
};
export type CompiledMac = Compiled<MacScheme> & { readonly kind: "mac" };
export type CompiledPublicKey = Compiled<PublicKeyScheme> & { readonly kind: "publicKey" };
type CompiledToken = { readonly kind: "token"; readonly scheme: TokenScheme };
type CompiledScheme = CompiledMac | CompiledPublicKey | CompiledToken;

const digestBytes = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const;
const compiled = new WeakMap<object, CompiledScheme>();

/**
 * Checks and prepares a scheme; the same object is compiled once.
 * Takes `unknown` because schemes come back from storage: what is not a scheme gives null, and the caller refuses.
 */
export function compileScheme(scheme: unknown): CompiledScheme | null {
  if (typeof scheme !== "object" || scheme === null) return null;
  const known = compiled.get(scheme);
  if (known !== undefined) return known;

  const parsed = verificationSchema.safeParse(scheme);
  if (!parsed.success) return null;
  const result = compileParsed(parsed.data);
  if (result !== null) compiled.set(scheme, result);
  return result;
}

function compileParsed(scheme: Verification): CompiledScheme | null {
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
    partKeys: [...new Set(sources.flatMap((source) => (source?.from === "part" ? [source.key] : [])))],
  };
}
