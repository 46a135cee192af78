import { type KeyObject, X509Certificate } from "node:crypto";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import type { SigningKey } from "#lib/core/verify/scheme/signing-key.ts";
import { hasExtension } from "./has-extension.ts";

type ChainRule = {
  /** The keys of trusted roots. The root in the message is never one of them. */
  readonly roots: readonly SigningKey[];
  /** Unix milliseconds at which every certificate has to be valid. */
  readonly atMs: number;
  /** An extension that each certificate must have, as for `hasExtension`. */
  readonly extensions: { readonly leaf: string; readonly intermediate: string };
};

/**
 * The signer's key from the certificates of a JSON Web Signature (`x5c`: RFC 7515, 4.1.6): exactly
 * leaf, intermediate, and root. The root isn't read, since a trusted one takes its place. Each
 * certificate is proven before its key is used, so an attacker's keys cost nothing. Revocation
 * isn't checked, because that would need the network.
 */
export function checkChain(x5c: unknown, rule: ChainRule): KeyObject | VerifyFailure {
  const { roots, atMs, extensions } = rule;
  if (!Array.isArray(x5c) || x5c.length !== 3) return fail("signature_malformed", subject);
  const [leaf, intermediate] = [readCertificate(x5c[0]), readCertificate(x5c[1])];
  if (leaf === null || intermediate === null) return fail("signature_malformed", subject);

  const root = roots.find(({ key }) => intermediate.verify(key));
  const isIssued =
    root !== undefined &&
    intermediate.ca &&
    hasExtension(intermediate.raw, extensions.intermediate) &&
    leaf.checkIssued(intermediate) &&
    leaf.verify(intermediate.publicKey) &&
    !leaf.ca &&
    hasExtension(leaf.raw, extensions.leaf);
  if (!isIssued) return fail("key_unknown", subject);

  const isValid =
    [leaf, intermediate].every(
      ({ validFromDate, validToDate }) =>
        validFromDate.getTime() - skewMs <= atMs && atMs <= validToDate.getTime() + skewMs,
    ) &&
    root.validFromMs <= atMs &&
    atMs <= root.validToMs;
  return isValid ? leaf.publicKey : fail("key_expired", subject);
}

const subject = "the certificate chain of the token";

/**
 * The allowed difference between the signer's and the issuer's clocks. Apple's own package allows
 * the same.
 */
const skewMs = 60_000;

/** Apple's certificates have some 1,100 bytes. */
const maxLength = 8_192;

/** Null if the text isn't exactly the base64 of a DER certificate. */
function readCertificate(text: unknown): X509Certificate | null {
  if (typeof text !== "string" || text.length > maxLength) return null;
  const der = decodeCanonical(text, "base64");
  try {
    const certificate = der === null ? null : new X509Certificate(der);
    return certificate !== null && der?.equals(certificate.raw) === true ? certificate : null;
  } catch {
    // Not a certificate. The caller reports it.
    return null;
  }
}
