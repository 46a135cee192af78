/** Checks the signatures of a request against pasted public keys. */
import { verify } from "node:crypto";
import { toPublicKey } from "#lib/core/verify/scheme/public-key.ts";
import type { CompiledPublicKey, PublicKeyScheme } from "#lib/core/verify/scheme/scheme.ts";
import { joinSignedText } from "./mac.ts";
import type { Matcher } from "./verify-signed.ts";

/** Null when no key is usable. */
export function preparePublicKey(
  compiled: CompiledPublicKey,
  secrets: readonly string[],
): Matcher | null {
  const keys = secrets.flatMap((secret) => toPublicKey(compiled.scheme, secret) ?? []);
  if (keys.length === 0) return null;
  const hash = hashOf(compiled.scheme.algorithm);
  return (pieces, signatures) => {
    const text = joinSignedText(compiled, pieces);
    return keys.some((key) => signatures.some((signature) => verify(hash, text, key, signature)));
  };
}

/** Null: the algorithm includes its own hash. */
export function hashOf(
  algorithm: PublicKeyScheme["algorithm"],
): "sha256" | "sha384" | "sha512" | null {
  switch (algorithm) {
    case "ed25519":
      return null;
    case "ecdsa-p256-sha256":
    case "rsa-sha256":
      return "sha256";
    case "rsa-sha384":
      return "sha384";
    case "rsa-sha512":
      return "sha512";
    default:
      return algorithm satisfies never;
  }
}
