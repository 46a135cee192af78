import type { Handshake } from "./handshake.ts";

/**
 * The token for providers that verify a URL with one (Meta, eBay). It is derived from the catch
 * URL, so there is nothing to choose or store. It has 36 to 77 letters, digits, and hyphens; eBay
 * accepts 32 to 80.
 */
export function toVerifyToken(hookKey: string): string {
  return `catchment-${hookKey}`;
}

/** True if a provider uses a verify token. */
export function takesVerifyToken(handshakes: readonly Handshake[] | undefined): boolean {
  return (handshakes ?? []).some(
    ({ proof, reply }) =>
      typeof proof === "object" || JSON.stringify(reply).includes('"verifyToken"'),
  );
}
