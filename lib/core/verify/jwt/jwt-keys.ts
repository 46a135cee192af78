import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import { decodeCanonical, decodePasted } from "#lib/core/verify/scheme/encoding.ts";
import type { SecretDecoding } from "#lib/schema/receive/value-source.ts";
import { fitsAlgorithm, type JwtAlgorithm } from "./jwt.ts";

type KeyRule = {
  /** The pinned algorithms. The key decides which one applies. */
  readonly algorithms: readonly JwtAlgorithm[];
  /** The decoding from a shared secret to the key. Default: its UTF-8. */
  readonly decode?: SecretDecoding;
};

/**
 * Reads a key that looks like a public key as one, and any other as a shared secret. Each only
 * works with algorithms of its kind, so a public key is never used as an HMAC secret.
 */
export function readKey({ algorithms, decode }: KeyRule, pasted: string): KeyObject | null {
  const isPublic = pasted.includes("-----BEGIN") || !algorithms.some(isShared);
  const key = isPublic ? readPublicKey(pasted) : readSharedKey(pasted, decode);
  return key !== null && algorithms.some((algorithm) => fitsAlgorithm(key, algorithm)) ? key : null;
}

/** True if the algorithm signs with a shared secret. */
export function isShared(algorithm: JwtAlgorithm): boolean {
  return algorithm.startsWith("HS");
}

/** Null: the secret can't be decoded. */
export function readSharedKey(pasted: string, decode: SecretDecoding = "utf8"): KeyObject | null {
  if (pasted.trim() === "") return null;
  const bytes = decode === "utf8" ? Buffer.from(pasted, "utf8") : decodePasted(pasted, decode);
  return bytes === null ? null : createSecretKey(bytes);
}

/** PEM, or base64 of PEM. Rejects private keys, which must not be stored here. */
function readPublicKey(pasted: string): KeyObject | null {
  const decoded = pasted.includes("-----BEGIN") ? null : decodeCanonical(pasted.trim(), "base64");
  const text = decoded?.toString("utf8") ?? pasted;
  if (!/-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(text)) return null;
  try {
    return createPublicKey({ key: text.trim(), format: "pem" });
  } catch {
    // Not a key. The caller reports it.
    return null;
  }
}
