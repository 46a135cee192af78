import type { DistinctHeaders } from "./http-types.ts";

/** Says how many hooks preceded a call. Stored with the delivery's headers. */
export const hopsHeader = "Catchment-Hops";

/** Hooks that call hooks are a feature; a longer chain is a loop. */
export const maxHops = 5;

/**
 * The hops of the calls that a delivery makes: one more than it arrived with. An invalid value
 * counts as none.
 */
export function nextHops(headers: DistinctHeaders): number {
  const [value = ""] = headers[hopsHeader.toLowerCase()] ?? [];
  return /^\d{1,6}$/.test(value) ? Number(value) + 1 : 1;
}
