/**
 * The text to give a sender that wants one to check a URL with (Meta, eBay): who knows the catch URL knows it, and nobody
 * else, so that there is nothing to choose and nothing more to keep. 36 to 77 letters, digits and hyphens; eBay takes 32 to 80.
 */
export function toVerifyToken(hookKey: string): string {
  return `catchment-${hookKey}`;
}
