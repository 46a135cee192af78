/** Parses a pasted public key into a `KeyObject`, or null. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { decodeSecret } from "./decode-secret.ts";
import type { PublicKeyScheme } from "./scheme.ts";

/** SubjectPublicKeyInfo of an ed25519 key up to its 32 bytes (RFC 8410, 4). */
const ed25519Spki = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Null if the text isn't a key for the scheme's algorithm. PEM is read as base64 between two lines.
 * `BEGIN RSA PUBLIC KEY` is PKCS#1 (RFC 8017, A.1.1), everything else SPKI. RSA keys under 2048 bits
 * and all curves except P-256 are rejected.
 */
export function toPublicKey(
  scheme: Pick<PublicKeyScheme, "algorithm" | "secret">,
  pasted: string,
): KeyObject | null {
  const pem =
    /^\s*-----BEGIN (RSA )?PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END \1PUBLIC KEY-----\s*$/.exec(
      pasted,
    )?.[2];
  const bytes =
    pem === undefined
      ? decodeSecret(scheme, pasted)
      : Buffer.from(pem.replaceAll(/\s/g, ""), "base64");
  if (bytes === null) return null;
  const isRaw = scheme.algorithm === "ed25519" && bytes.length === 32;
  const der = isRaw ? Buffer.concat([ed25519Spki, bytes]) : bytes;
  const key = readDer(der, "spki") ?? readDer(der, "pkcs1");
  return key !== null && fits(key, scheme.algorithm) ? key : null;
}

function readDer(der: Buffer, type: "spki" | "pkcs1"): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: "der", type });
  } catch {
    // Not a key. The caller reports it.
    return null;
  }
}

function fits(
  { asymmetricKeyType, asymmetricKeyDetails }: KeyObject,
  algorithm: PublicKeyScheme["algorithm"],
) {
  switch (algorithm) {
    case "ed25519":
      return asymmetricKeyType === "ed25519";
    case "ecdsa-p256-sha256":
      return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
    case "rsa-sha256":
    case "rsa-sha384":
    case "rsa-sha512":
      return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
    default:
      return algorithm satisfies never;
  }
}
