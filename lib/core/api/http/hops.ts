import type { DistinctHeaders } from "./http-types.ts";

/** The header with the number of hooks before a call. It is stored with the delivery's headers. */
export const hopsHeader = "Catchment-Hops";

/** Hooks that call hooks are a feature; a longer chain is a loop. */
export const maxHops = 5;

/**
 * The hop count of the calls for a delivery: one more than the delivery's own. An invalid value
 * counts as none.
 */
export function nextHops(headers: DistinctHeaders): number {
  const [value = ""] = headers[hopsHeader.toLowerCase()] ?? [];
  return /^\d{1,6}$/.test(value) ? Number(value) + 1 : 1;
}
