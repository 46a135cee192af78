import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "./parse-retry-after.ts";

const now = Date.UTC(2026, 10, 21, 7, 0, 0);

describe("parseRetryAfter", () => {
  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["007", 7_000],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Sat, 21 Nov 2026 07:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 06:59:30 GMT", 0],
    ["Saturday, 21-Nov-26 07:01:00 GMT", 60_000],
    ["Sat Nov 21 07:00:05 2026", 5_000],
    ["Thu Dec  3 07:00:00 2026", 12 * 24 * 3_600_000],
  ])("%j is %i ms", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    null,
    undefined,
    "",
    "soon",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "Nov 2027",
    "2027-01-01",
    "2027-01-01T00:00:00Z",
    "5 s",
  ])("%j is ignored", (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });

  it.each([
    "Sat, 41 Nov 2026 07:00:30 GMT",
    "Sat, 21 Xyz 2026 07:00:30 GMT",
    "Sat, 21 Nov 2026 27:00:30 GMT",
  ])("%j is not a date and ignored", (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });

  it("whatever the header contains, the wait is null or a non-negative whole number", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (value) => {
          const waitMs = parseRetryAfter(value, now);
          expect(waitMs === null || (Number.isSafeInteger(waitMs) && waitMs >= 0)).toBe(true);
        },
      ),
    );
  });
});
