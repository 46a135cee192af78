/** Which page was asked for: set by `proxy.ts` at every request, because Next tells layouts and commands nothing of it. */
export const returnToHeader = "x-catchment-return-to";
