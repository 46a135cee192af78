/** Checks signatures of a request against public keys that were pasted. */
import { verify } from "node:crypto";
import { joinSignedText } from "./mac.ts";
import { toPublicKey } from "./public-key.ts";
import type { CompiledPublicKey } from "./scheme.ts";
import type { Matcher } from "./verify-signed.ts";

/** Null when no key is usable. */
export function preparePublicKey(compiled: CompiledPublicKey, secrets: readonly string[]): Matcher | null {
  const keys = secrets.flatMap((secret) => toPublicKey(compiled.scheme, secret) ?? []);
  if (keys.length === 0) return null;
  const hash = compiled.scheme.algorithm === "ed25519" ? null : "sha256";
  return (pieces, signatures) => {
    const text = joinSignedText(compiled, pieces);
    return keys.some((key) => signatures.some((signature) => verify(hash, text, key, signature)));
  };
}
