import type { DistinctHeaders } from "./http-types.ts";

/** Tells how many hooks stand behind a call; the catch path keeps it among the delivery's headers. */
export const hopsHeader = "Catchment-Hops";

/** Hooks that call hooks are a feature; a longer chain is a loop. */
export const maxHops = 5;

/** The hops of the call that a delivery leads to: one more than it came with. A value that makes no sense counts as none. */
export function nextHops(headers: DistinctHeaders): number {
  const [value = ""] = headers[hopsHeader.toLowerCase()] ?? [];
  return /^\d{1,6}$/.test(value) ? Number(value) + 1 : 1;
}
