import { type ActivityRange, activityRanges } from "#lib/schema/watch/activity.ts";
import type { TargetActivity } from "#lib/services/activity.ts";

/** The figures of a range for `ActivityPlots`. */
export function toPlots(activity: TargetActivity, range: ActivityRange) {
  const { buckets, runs, successRate, latency } = activity;
  return {
    range,
    bucketMs: activityRanges[range].bucketMs,
    total: sum(runs),
    failed: runs.failed,
    retrying: runs.retrying,
    successRate,
    latency,
    buckets: buckets.map((bucket) => ({
      startMs: bucket.startMs,
      runs: sum(bucket.runs),
      failed: bucket.runs.failed,
      latency: bucket.latency,
    })),
  };
}

/** The last 24 hours. Null: nothing has run in 30 days, and there is nothing to draw. */
export async function readFirstPlots(read: (range: ActivityRange) => Promise<TargetActivity>) {
  const day = toPlots(await read("24h"), "24h");
  if (day.total > 0) return day;
  return sum((await read("30d")).runs) === 0 ? null : day;
}

function sum(counts: TargetActivity["runs"]): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}
