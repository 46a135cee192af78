import type { Handshake } from "./handshake.ts";

/**
 * The format of challenges whose response is their MAC. Anyone may send one, so it must not look
 * like a real body. Otherwise, the response would sign a forged event.
 */
export const macChallengePattern = /^[A-Za-z0-9+/_.~-]{1,256}={0,2}$/;
const maxChallengeLength = 258;

/** True if one of these returns the MAC of a challenge that the caller chooses. */
export function exposesMacs(handshakes: readonly Handshake[]): boolean {
  return handshakes.some(
    ({ proof, reply }) => proof === "none" && JSON.stringify(reply).includes('"hmac"'),
  );
}

/**
 * True if a body, or part of the signed text around it, could have been such a challenge: `123`, a
 * single word, or an empty body after a timestamp. Its signature proves nothing.
 */
export function isMacChallenge(body: Uint8Array): boolean {
  return (
    body.byteLength <= maxChallengeLength &&
    /^[A-Za-z0-9+/_.~=-]*$/.test(Buffer.from(body).toString("latin1"))
  );
}
