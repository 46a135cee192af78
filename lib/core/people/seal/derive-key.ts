import { hkdfSync } from "node:crypto";
import type { SealKey } from "./sealer.ts";

/**
 * Derives a 32-byte key for one purpose from the server's secret (HKDF-SHA-256, RFC 5869). Keys are
 * independent of each other, so one secret can encrypt the database and sign sessions.
 *
 * @param secret `CATCHMENT_SECRET_KEY`. It has to be random, since HKDF doesn't slow down guessing.
 * @param purpose a fixed name such as `sessions`
 */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return derive(secret, purpose, 32);
}

/** The sealing key of a secret, with a stable id that doesn't reveal the secret. */
export function deriveSealKey(secret: string): SealKey {
  const id = Buffer.from(derive(secret, "secrets-at-rest/key-id", 6)).toString("hex");
  return { id, key: deriveKey(secret, "secrets-at-rest") };
}

function derive(secret: string, purpose: string, length: number): Uint8Array {
  if (secret.trim() === "") throw new RangeError("A key can't be derived from an empty secret");
  return new Uint8Array(hkdfSync("sha256", secret, "", `catchment/${purpose}`, length));
}
