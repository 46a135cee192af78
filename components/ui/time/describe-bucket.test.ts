import { expect, test } from "vitest";
import { describeBucket, describeTick } from "./describe-bucket.ts";

const hour = 3_600_000;
const day = 24 * hour;
const afternoon = Date.UTC(2026, 10, 22, 14);

test.each([
  [hour, "14:00", "Sun 22 Nov, 14:00 – 15:00"],
  [6 * hour, "Sun 22", "Sun 22 Nov, 14:00 – 20:00"],
  [day, "22 Nov", "Sun 22 Nov (UTC)"],
])("a bar of %i ms is labeled %s, and described as %s", (bucketMs, tick, bucket) => {
  expect(describeTick(afternoon, bucketMs, "UTC")).toBe(tick);
  expect(describeBucket(afternoon, bucketMs, "UTC")).toBe(bucket);
});

test("midnight is 00:00, and bars of less than a day have the zone's clock", () => {
  expect(describeTick(afternoon - 14 * hour, hour, "UTC")).toBe("00:00");
  expect(describeBucket(afternoon, hour, "Asia/Tokyo")).toBe("Sun 22 Nov, 23:00 – 00:00");
  expect(describeBucket(afternoon, day, "Asia/Tokyo")).toBe("Sun 22 Nov (UTC)");
});
