/** A first start takes 4 to 8 s on two quiet cores. */
const quietStartMs = 8_000;

/**
 * The factor by which this machine is slower than a quiet one, judging by the time of the server's
 * first start. At least 1. Promises in seconds are compared with seconds of that pace.
 */
export function toPace(startMs: number): number {
  return Math.max(1, startMs / quietStartMs);
}
