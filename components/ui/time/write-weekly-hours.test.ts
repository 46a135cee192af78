import { expect, it } from "vitest";
import { writeWeeklyHours } from "./write-weekly-hours.ts";

const usual = (hours: string) => `Usually about 40 an hour ${hours}, nothing for 3 hours`;
const said = usual("on Sundays from 22:00 to 24:00 UTC");

it.each([
  ["UTC", "2026-11-23T10:00:00Z", "on Sundays from 22:00 to 24:00 UTC"],
  ["Europe/Berlin", "2026-11-23T10:00:00Z", "on Sundays from 23:00 to 01:00 GMT+1"],
  ["Europe/Berlin", "2026-07-23T10:00:00Z", "on Mondays from 00:00 to 02:00 GMT+2"],
  ["Asia/Kolkata", "2026-11-23T10:00:00Z", "on Mondays from 03:30 to 05:30 GMT+5:30"],
  ["America/New_York", "2026-11-01T23:00:00Z", "on Sundays from 17:00 to 19:00 GMT-5"],
])("hours of the week in %s, at %s, have the zone's day and clock", (timeZone, now, expected) => {
  expect(writeWeeklyHours(said, Date.parse(now), timeZone)).toBe(usual(expected));
});

it("other text stays as it is", () => {
  const text = "The receiver responded with 503 at 11:00 UTC on Sundays";
  expect(writeWeeklyHours(text, 0, "Asia/Tokyo")).toBe(text);
});
