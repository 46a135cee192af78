import { hash } from "node:crypto";

/**
 * The value of `{sha256(body)}`, `{sha384(body)}`, or `{sha512(body)}`: lowercase hex. Null for other
 * variables.
 */
export function hashBody(variable: string, body: Uint8Array): string | null {
  const algorithm = algorithms.get(variable);
  return algorithm === undefined ? null : hash(algorithm, body, "hex");
}

/** A look-up, because every verification of a delivery asks for each of its variables. */
const algorithms: ReadonlyMap<string, string> = new Map(
  ["sha256", "sha384", "sha512"].map((name) => [`${name}(body)`, name]),
);
