import type { Handshake } from "./handshake.ts";

/**
 * What is answered with a MAC of itself. Anybody may ask, so it must be nothing that a real body could be, or the answer would be the
 * signature of a forged event.
 */
export const macChallengePattern = /^[A-Za-z0-9+/_.~-]{1,256}={0,2}$/;
const longestChallenge = 258;

/** Whether one of these tells whoever asks the MAC of what they choose. */
export function tellsMacs(handshakes: readonly Handshake[]): boolean {
  return handshakes.some(({ proof, reply }) => proof === "none" && JSON.stringify(reply).includes('"hmac"'));
}

/** Whether a body could have been such a challenge (`123` is JSON, a word is text): its signature proves nothing. */
export function isMacChallenge(body: Uint8Array): boolean {
  return (
    body.byteLength <= longestChallenge && macChallengePattern.test(Buffer.from(body).toString("latin1"))
  );
}
