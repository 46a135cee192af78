/**
 * A scheme is data (`lib/schema/verification.ts`). Compiling does everything that does not depend on a
 * request or a secret, once; the interpreter in `verify.ts` runs the result.
 */
import {
  type MacVerification,
  splitTemplate,
  type TokenVerification,
  type Verification,
  verificationSchema,
} from "#lib/schema/verification.ts";

/** How a sender proves who it is. */
export type Scheme = Verification;
export type MacScheme = MacVerification;
export type TokenScheme = TokenVerification | Exclude<Verification, { kind: "mac" | "token" }>;

/** One piece of the signed text: constant text, or a name that the request, the hook or the secret fills. */
type Segment = { readonly text: string } | { readonly variable: string };

export type CompiledMac = {
  readonly kind: "mac";
  readonly scheme: MacScheme;
  readonly segments: readonly Segment[];
  readonly digestBytes: number;
  /** True when `{timestamp}` is in the signed text, so it is read before the MAC and not after it. */
  readonly signsTimestamp: boolean;
  /** Whether the signed text needs what only a parsed signature header has. */
  readonly partKeys: readonly string[];
};
type CompiledToken = { readonly kind: "token"; readonly scheme: TokenScheme };
type CompiledScheme = CompiledMac | CompiledToken;

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

function compileParsed(scheme: Scheme): CompiledScheme | null {
  if (scheme.kind !== "mac") return { kind: "token", scheme };
  const pieces = splitTemplate(scheme.signed.template);
  if (pieces === null) return null;

  const sources = [...Object.values(scheme.signed.values ?? {}), scheme.timestamp?.source];
  return {
    kind: "mac",
    scheme,
    segments: pieces.map((piece) => (typeof piece === "string" ? { text: piece } : piece)),
    digestBytes: digestBytes[scheme.hash],
    signsTimestamp: pieces.some((piece) => typeof piece === "object" && piece.variable === "timestamp"),
    partKeys: [...new Set(sources.flatMap((source) => (source?.from === "part" ? [source.key] : [])))],
  };
}
