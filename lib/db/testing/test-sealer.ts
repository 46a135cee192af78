import { createSealer } from "#lib/core/seal/sealer.ts";

let nonces = 0;

export const testSealer = createSealer({
  current: { id: "test", key: Buffer.alloc(32, 7) },
  previous: [],
  randomNonce: () => {
    const nonce = Buffer.alloc(12);
    nonces += 1;
    nonce.writeUInt32BE(nonces);
    return nonce;
  },
});
