import { hash } from "node:crypto";

/**
 * The value of `{sha256(body)}`, `{sha384(body)}`, or `{sha512(body)}`: lowercase hex. Null for other
 * variables.
 */
export function hashBody(variable: string, body: Uint8Array): string | null {
  const algorithm = /^(sha(?:256|384|512))\(body\)$/.exec(variable)?.[1];
  return algorithm === undefined ? null : hash(algorithm, body, "hex");
}
