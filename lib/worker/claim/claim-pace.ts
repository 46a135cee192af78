/**
 * The pause between two successful claims. A claim costs 1 to 3 ms of database time regardless of
 * its result, so under load (when the database responds slowly) fewer and larger claims leave more
 * for everything else. A run that comes due on an idle worker is still claimed at once.
 */
export const claimGapMs = 10;
/** The same while runs are handed over: what is claimed then has waited already. */
export const sparseClaimGapMs = 50;
const quickMs = 3;
const slowdown = 2;
const maxGapMs = 25;
const recentMs = 200;

/**
 * If the last successful claim was recent and slow, an empty claim also waits before the next.
 */
export function slowdownMs(
  { durationMs, at }: { readonly durationMs: number; readonly at: number },
  nowMs: number,
): number {
  if (durationMs < quickMs || nowMs - at > recentMs) return 0;
  return Math.min(slowdown * durationMs, maxGapMs);
}
