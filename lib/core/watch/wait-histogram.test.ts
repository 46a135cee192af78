import fc from "fast-check";
import { expect, test } from "vitest";
import { type WaitBucket, waitBucket, waitPercentile } from "./wait-histogram.ts";

function toHistogram(waits: readonly number[]): WaitBucket[] {
  const counts = new Map<number, number>();
  for (const wait of waits) counts.set(waitBucket(wait), (counts.get(waitBucket(wait)) ?? 0) + 1);
  return Array.from(counts, ([bucket, count]) => ({ bucket, count }));
}

test("a percentile is off by a fifth and a millisecond at most", () => {
  const waits = fc.array(fc.integer({ min: 0, max: 86_400_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(waits, fc.constantFrom(0.5, 0.95), (all, share) => {
      const sorted = all.toSorted((one, other) => one - other);
      const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const read = waitPercentile(toHistogram(all), share) ?? Number.NaN;
      expect(Math.abs(read - exact)).toBeLessThanOrEqual(0.2 * exact + 1);
    }),
  );
});

test("without values there is no percentile", () => {
  expect(waitPercentile([], 0.5)).toBeNull();
  expect(waitPercentile([{ bucket: 3, count: 0 }], 0.95)).toBeNull();
});
