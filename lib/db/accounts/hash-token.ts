import { createHash } from "node:crypto";

/** SHA-256 is enough: a token is too random to be guessed from its hash. */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(token, "utf8").digest();
}
