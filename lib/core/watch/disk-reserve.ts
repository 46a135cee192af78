/**
 * The free space, in bytes, below which deliveries get 503: what the operator set, or 5% of a disk on
 * which that would be more.
 */
export function diskReserve(minFreeBytes: number, totalBytes: number): number {
  return Math.min(minFreeBytes, totalBytes * 0.05);
}
