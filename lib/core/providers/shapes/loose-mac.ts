import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";

type LooseMac = {
  /** The authentication of deliveries, for the list of providers. */
  readonly proof: string;
  /** The signatures in the header. Null if it is malformed. */
  readonly read: (header: string) => readonly Buffer[] | null;
  /** The header with this signature, for samples. */
  readonly write: (signature: Buffer) => string;
};

/**
 * An HMAC-SHA256 of the raw body with the secret's text as key. The provider's pages don't say how
 * the signature is encoded. Accepting several encodings of the same 32 bytes makes no forgery
 * easier.
 */
export function looseMac(header: string, { proof, read, write }: LooseMac): CodeScheme {
  const subject = `the header ${header}`;
  return {
    kind: "code",
    proof,
    takesSecret: true,
    proofHeaders: [header],
    findSecretProblem: () => null,
    prepare: withOneHeader(header, (value, { keys, request: { body } }) => {
      const signatures = read(value);
      if (signatures === null) return fail("signature_malformed", subject);
      return hasMac("sha256", keys, [body], signatures)
        ? { signed: body }
        : fail("signature_mismatch", subject);
    }),
    sign: ({ secret, body, url }) => ({
      headers: { [header]: write(computeHmac("sha256", secret, body)) },
      body,
      url,
    }),
  };
}

export function decodeHexOrBase64(text: string): Buffer | null {
  return decodeMac(text, "sha256", "hex") ?? decodeMac(text, "sha256", "base64");
}

/** Base64url of 32 bytes, with or without its padding. */
export function decodeBase64url(text: string): Buffer | null {
  if (text.length < 43 || text.length > 44) return null;
  const bytes = decodeCanonical(text.replace(/=$/, ""), "base64url");
  return bytes?.length === 32 ? bytes : null;
}
