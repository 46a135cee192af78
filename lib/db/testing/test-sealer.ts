import { deriveSealKey } from "#lib/core/seal/derive-key.ts";
import { createSealer } from "#lib/core/seal/sealer.ts";

let nonces = 0;

export const testSealer = createSealer({
  // That of the REST API in tests: both write to one audit log.
  current: deriveSealKey("a test key that has at least 32 characters"),
  previous: [],
  randomNonce: () => {
    const nonce = Buffer.alloc(12);
    nonces += 1;
    nonce.writeUInt32BE(nonces);
    return nonce;
  },
});
