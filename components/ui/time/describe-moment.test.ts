import { expect, it } from "vitest";
import { describeMoment } from "./describe-moment.ts";

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
