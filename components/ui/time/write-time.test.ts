import { expect, it } from "vitest";
import { writeRecentTime, writeTime } from "./write-time.ts";

const atMs = Date.parse("2026-11-23T23:42:05Z");

it.each([
  ["UTC", "2026-11-23 23:42:05 UTC"],
  ["Europe/Berlin", "2026-11-24 00:42:05 GMT+1"],
  ["America/St_Johns", "2026-11-23 20:12:05 GMT-3:30"],
])("a time in %s has the zone's clock, date, and name", (timeZone, expected) => {
  expect(writeTime(atMs, timeZone)).toBe(expected);
});

it("seconds and zone can be left out, where they are said elsewhere", () => {
  const short = { seconds: false, zone: false };
  expect(writeTime(atMs, "Europe/Berlin", short)).toBe("2026-11-24 00:42");
});

it.each([
  ["UTC", "2026-11-23 23:42"],
  ["Europe/Berlin", "00:42"],
])("a time has its date unless it is today in %s", (timeZone, expected) => {
  expect(writeRecentTime(atMs, Date.parse("2026-11-24T08:00:00Z"), timeZone)).toBe(expected);
});
