/**
 * Waiting times as a histogram that can be summed over hours. Bucket `b` contains waits from
 * `2^(b/4) - 1` to `2^((b+1)/4) - 1` ms, so a percentile is off by 19% at most, from a millisecond
 * to days.
 */
export type WaitBucket = { readonly bucket: number; readonly count: number };

export function waitBucket(waitMs: number): number {
  return Math.floor(4 * Math.log2(Math.max(0, waitMs) + 1));
}

/**
 * In milliseconds; null if nothing was counted. Each bucket occurs once, and its waits are assumed
 * to be evenly spread.
 *
 * @param share 0.95 is the 95th percentile
 */
export function waitPercentile(histogram: readonly WaitBucket[], share: number): number | null {
  const buckets = histogram
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.bucket - other.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { bucket, count } of buckets) {
    const within = (share * total - below) / count;
    if (within <= 1)
      return lowerBound(bucket) + within * (lowerBound(bucket + 1) - lowerBound(bucket));
    below += count;
  }
  const last = buckets.at(-1);
  return last === undefined ? null : lowerBound(last.bucket + 1);
}

function lowerBound(bucket: number): number {
  return 2 ** (bucket / 4) - 1;
}
