/**
 * The requested page: set by `proxy.ts` on every request, because Next doesn't tell layouts and
 * commands.
 */
export const returnToHeader = "x-catchment-return-to";
