import { randomBytes } from "node:crypto";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { createSealer, type Sealer } from "#lib/core/people/seal/sealer.ts";

/**
 * Seals and opens the secrets in the database, with the key derived from `secretKey` and fresh
 * nonces of 12 bytes (NIST SP 800-38D).
 *
 * @param secretKey the text of `CATCHMENT_SECRET_KEY`
 * @param previousKey the key before it, while values sealed with it remain
 */
export function openSealer(secretKey: string, previousKey?: string): Sealer {
  return createSealer({
    current: deriveSealKey(secretKey),
    previous: previousKey === undefined ? [] : [deriveSealKey(previousKey)],
    randomNonce: () => randomBytes(12),
  });
}
