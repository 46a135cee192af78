import { describe, expect, it } from "vitest";
import { formatTimestamp } from "#lib/core/verify/sign.ts";
import { parseTimestamp } from "./timestamp.ts";

const units = ["s", "ms", "rfc3339", "iso-zoneless", "http-date"] as const;

describe("timestamps", () => {
  it.each([
    ["s", "1614265330", 1_614_265_330_000],
    ["ms", "1614265330123", 1_614_265_330_123],
    ["rfc3339", "2020-01-01T00:00:00-07:00", 1_577_862_000_000],
    ["rfc3339", "2020-01-01T07:00:00.123456789Z", 1_577_862_000_123],
    ["iso-zoneless", "2020-01-01T07:00:00.5", 1_577_862_000_500],
    ["http-date", "Wed, 01 Jan 2020 07:00:00 GMT", 1_577_862_000_000],
  ] as const)("%s %s is read to the millisecond", (unit, text, timeMs) => {
    expect(parseTimestamp(text, unit)).toBe(timeMs);
  });

  it("text that only JavaScript takes for a number or date is rejected", () => {
    const junk = [
      "",
      " ",
      "0",
      "01",
      "-1",
      "+1",
      "1.0",
      "1e10",
      "123abc",
      "Infinity",
      "NaN",
      "0x1f",
      "1_000",
      "１",
      "1\n",
    ];
    const dates = [
      "2020-01-01",
      "2020-01-01 00:00:00Z",
      "2020-13-01T00:00:00Z",
      "2020-01-01T00:00:00z",
      "today",
    ];
    const httpDates = [
      "Thu, 01 Jan 2020 07:00:00 GMT",
      "Wed, 1 Jan 2020 07:00:00 GMT",
      "Wed, 01 Jan 2020 07:00:00 UTC",
    ];
    for (const unit of units) {
      for (const text of [...junk, ...dates, ...httpDates, "9".repeat(400)]) {
        expect([unit, text, parseTimestamp(text, unit)]).toEqual([unit, text, null]);
      }
    }
  });

  it("a zone is required or rejected, depending on the unit", () => {
    expect(parseTimestamp("2020-01-01T00:00:00", "rfc3339")).toBeNull();
    expect(parseTimestamp("2020-01-01T00:00:00Z", "iso-zoneless")).toBeNull();
  });

  it.each(units)("what is written as %s is read back", (unit) => {
    expect(parseTimestamp(formatTimestamp(1_700_000_000_000, unit), unit)).toBe(1_700_000_000_000);
  });
});
