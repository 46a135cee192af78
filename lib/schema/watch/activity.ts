/** The time ranges of plots, in whole hours. Days are UTC days. */
import { z } from "zod";

const hourMs = 3_600_000;

export const activityRanges = {
  "24h": { bucketMs: hourMs, buckets: 24 },
  "7d": { bucketMs: 6 * hourMs, buckets: 28 },
  "30d": { bucketMs: 24 * hourMs, buckets: 30 },
} as const;
export type ActivityRange = keyof typeof activityRanges;

export const activityRange = z.enum(["24h", "7d", "30d"], { error: "must be 24h, 7d, or 30d" });

/** The start of the first bucket of a range that ends now, in Unix milliseconds. */
export function startOfRange(range: ActivityRange, nowMs: number): number {
  const { bucketMs, buckets } = activityRanges[range];
  return Math.floor(nowMs / bucketMs) * bucketMs - (buckets - 1) * bucketMs;
}
