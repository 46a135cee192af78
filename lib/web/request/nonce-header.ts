/** The nonce of this answer's policy: set by `proxy.ts` at every request, for the one inline script that we write ourselves. */
export const nonceHeader = "x-catchment-nonce";
