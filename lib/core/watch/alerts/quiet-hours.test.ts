import { expect, test } from "vitest";
import { endOfQuiet, nextDigest } from "./quiet-hours.ts";

const nights = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin", weekends: false };
const end = (now: string, quiet = nights) => endOfQuiet(new Date(now), quiet).toISOString();

test.each([
  ["in the evening", "2026-11-24T21:30:20Z", "2026-11-25T06:00:00.000Z"],
  ["after midnight", "2026-11-25T01:00:00Z", "2026-11-25T06:00:00.000Z"],
  ["at the last minute", "2026-11-25T05:59:59Z", "2026-11-25T06:00:00.000Z"],
  ["at the end", "2026-11-25T06:00:00Z", "2026-11-25T06:00:00.000Z"],
  ["in the day", "2026-11-25T12:00:01Z", "2026-11-25T12:00:01.000Z"],
  ["while clocks are set forward", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00.000Z"],
  ["while clocks are set back", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00.000Z"],
])("quiet hours end in the time zone of the rule: %s", (_name, now, expected) => {
  expect(end(now)).toBe(expected);
});

test("a quiet weekend lasts from Friday night to Monday morning", () => {
  const quiet = { ...nights, weekends: true };
  expect(end("2026-11-27T21:30:00Z", quiet)).toBe("2026-11-30T06:00:00.000Z");
  expect(end("2026-11-28T12:00:00Z", quiet)).toBe("2026-11-30T06:00:00.000Z");
  expect(end("2026-11-27T12:00:00Z", quiet)).toBe("2026-11-27T12:00:00.000Z");
});

test("a digest is due at the next full hour, or at the next 09:00 of the time zone", () => {
  const now = new Date("2026-11-24T08:20:00Z");
  expect(nextDigest(now, "hourly", null).toISOString()).toBe("2026-11-24T09:00:00.000Z");
  expect(nextDigest(now, "daily", null).toISOString()).toBe("2026-11-24T09:00:00.000Z");
  expect(nextDigest(now, "daily", nights).toISOString()).toBe("2026-11-25T08:00:00.000Z");
});

test("no digest is sent in quiet hours", () => {
  const now = new Date("2026-11-24T23:10:00Z");
  expect(nextDigest(now, "hourly", nights).toISOString()).toBe("2026-11-25T06:00:00.000Z");
});
