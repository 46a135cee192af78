import type { Handshake } from "./handshake.ts";

/**
 * The text to give a sender that wants one to check a URL with (Meta, eBay): who knows the catch URL knows it, and nobody
 * else, so that there is nothing to choose and nothing more to keep. 36 to 77 letters, digits and hyphens; eBay takes 32 to 80.
 */
export function toVerifyToken(hookKey: string): string {
  return `catchment-${hookKey}`;
}

/** Whether a sender wants one: it shows it, or computes with it. */
export function takesVerifyToken(handshakes: readonly Handshake[] | undefined): boolean {
  return (handshakes ?? []).some(
    ({ proof, reply }) => typeof proof === "object" || JSON.stringify(reply).includes('"verifyToken"'),
  );
}
