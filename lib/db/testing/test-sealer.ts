import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { createSealer } from "#lib/core/people/seal/sealer.ts";

let nonces = 0;

export const testSealer = createSealer({
  // The key of all tests: whatever they start writes to one audit log.
  current: deriveSealKey("a secret for tests that is long enough"),
  previous: [],
  randomNonce: () => {
    const nonce = Buffer.alloc(12);
    nonces += 1;
    nonce.writeUInt32BE(nonces);
    return nonce;
  },
});
