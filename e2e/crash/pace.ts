/** A first start takes 4 to 8 s on two quiet cores. */
const quietStartMs = 8_000;

/**
 * How many times slower than a quiet machine this one is, by the time that the server's first start
 * takes: what is promised in seconds is compared with seconds of that pace. At least 1.
 */
export function toPace(startMs: number): number {
  return Math.max(1, startMs / quietStartMs);
}
