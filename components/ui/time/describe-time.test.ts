import { expect, it } from "vitest";
import { describeAge, describeMoment } from "./describe-time.ts";

const now = Date.parse("2026-11-21T12:05:00Z");
const hourMs = 3_600_000;

it("names the weekday within a day, and the date after that", () => {
  expect(describeMoment(now + 2 * hourMs, now, "UTC")).toBe("Sat 14:05");
  expect(describeMoment(now + 24 * hourMs - 1, now, "UTC")).toBe("Sun 12:04");
  expect(describeMoment(now + 24 * hourMs, now, "UTC")).toBe("Sun 22 Nov, 12:05");
  expect(describeMoment(now + 7 * 24 * hourMs, now, "UTC")).toBe("Sat 28 Nov, 12:05");
});

it("uses the viewer's time zone, even at midnight", () => {
  expect(describeMoment(now + 7 * 24 * hourMs, now, "Asia/Tokyo")).toBe("Sat 28 Nov, 21:05");
  expect(describeMoment(Date.parse("2026-11-22T00:00:00Z"), now, "UTC")).toBe("Sun 00:00");
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-30_000, "just now"],
  [4_999, "just now"],
  [59_999, "59 s ago"],
  [minute, "1 min ago"],
  [hour - 1, "59 min ago"],
  [hour, "1 h ago"],
  [day, "yesterday"],
  [2 * day, "2 days ago"],
  [61 * day, "2 months ago"],
  [800 * day, "2 years ago"],
])("%i ms is %s", (ageMs, words) => expect(describeAge(ageMs)).toBe(words));
