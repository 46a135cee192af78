import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { readFilterDate, readInstant } from "./filter-date.ts";

describe("an instant", () => {
  it.each([
    ["2026-11-21", "2026-11-21T00:00:00.000Z"],
    ["2026-11-21T10:00Z", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10:00:01", "2026-11-21T10:00:01.000Z"],
    ["2026-11-21 10:00:01.5Z", "2026-11-21T10:00:01.500Z"],
    ["2026-11-21t10:00:01.123456z", "2026-11-21T10:00:01.123Z"],
    ["2026-11-21T10:00:00+02:00", "2026-11-21T08:00:00.000Z"],
    ["2026-11-21T10:00:00-0530", "2026-11-21T15:30:00.000Z"],
    ["2026-11-21T10:00:00+02", "2026-11-21T08:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["0099-01-01", "0099-01-01T00:00:00.000Z"],
    [1_700_000_000, "2023-11-14T22:13:20.000Z"],
    [1_700_000_000.123, "2023-11-14T22:13:20.123Z"],
    [1_700_000_000_123, "2023-11-14T22:13:20.123Z"],
    ["1700000000", "2023-11-14T22:13:20.000Z"],
    ["1700000000123", "2023-11-14T22:13:20.123Z"],
    [new ExactNumber("1700000000.10"), "2023-11-14T22:13:20.100Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    [-86_400, "1969-12-31T00:00:00.000Z"],
  ])("%j is %s", (value, expected) => {
    const instant = readInstant(value);
    expect(instant === undefined ? instant : new Date(instant).toISOString()).toBe(expected);
  });

  it.each([
    "2026",
    "20261121",
    "2026-11-31",
    "2025-02-29",
    "2026-13-01",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:60:00Z",
    "21.11.2026",
    "tomorrow",
    "7 days ago",
    "",
    "9".repeat(100_000),
    1e14,
    Number.NaN,
    new ExactNumber("1e400"),
    true,
    null,
    undefined,
    [],
    {},
  ])("%j is no date", (value) => {
    expect(readInstant(value)).toBeUndefined();
  });

  test("is read back from what every language writes", () => {
    const date = fc.date({
      min: new Date("0001-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, fc.integer({ min: -1_439, max: 1_439 }), (instant, offset) => {
        const ms = instant.getTime();
        expect(readInstant(instant.toISOString())).toBe(ms);
        const local = new Date(ms + offset * 60_000).toISOString();
        fc.pre(/^\d{4}-/.test(local));
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0");
        const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
        const written = `${local.slice(0, -1)}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
        expect(readInstant(written)).toBe(ms);
      }),
    );
  });

  test("in seconds and in milliseconds is the same instant, from 1973 to 5138", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e8, max: 1e11 - 1 }), (seconds) => {
        expect(readInstant(seconds)).toBe(seconds * 1_000);
        expect(readInstant(seconds * 1_000)).toBe(seconds * 1_000);
      }),
    );
  });
});

test.each([
  ["now", 0],
  ["Now", 0],
  ["7 days ago", -7 * 86_400_000],
  ["1 day ago", -86_400_000],
  ["in 2 hours", 7_200_000],
  ["in 1 week", 604_800_000],
  ["30 seconds ago", -30_000],
  ["in 90 minutes", 5_400_000],
])("%s counts from the time of the delivery", (text, distanceMs) => {
  expect(readFilterDate(text, 1_000_000_000_000)).toBe(1_000_000_000_000 + distanceMs);
});

test.each(["7 days", "in 7 days ago", "days ago", "-1 days ago", "2 months ago", "1.5 days ago"])(
  "%s is no date",
  (text) => {
    expect(readFilterDate(text, 0)).toBeUndefined();
  },
);
