/**
 * The nonce of this response's policy: set by `proxy.ts` on every request, for our one inline
 * script.
 */
export const nonceHeader = "x-catchment-nonce";
