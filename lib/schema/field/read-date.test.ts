import fc from "fast-check";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { describeDateProblem } from "./date-problem.ts";
import { ExactNumber } from "./json-value.ts";
import { readDate, readWrittenDate } from "./read-date.ts";

afterEach(() => void vi.unstubAllEnvs());

function read(value: unknown): string {
  const date = readDate(value);
  return date.ok ? new Date(date.ms).toISOString() : describeDateProblem(value, date);
}

const exact = (digits: string) => new ExactNumber(digits);

describe("a date", () => {
  it.each<[unknown, string]>([
    // ISO 8601, RFC 3339, and what databases and languages print.
    ["2026-11-21", "2026-11-21T00:00:00.000Z"],
    ["2026-11-21T10:00Z", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21 10:00:01.5Z", "2026-11-21T10:00:01.500Z"],
    ["2026-11-21T10:00:00,5Z", "2026-11-21T10:00:00.500Z"],
    ["2026-11-21t10:00:01.123999z", "2026-11-21T10:00:01.123Z"],
    ["2026-11-21 23:59:59.9999999", "2026-11-21T23:59:59.999Z"],
    ["2026-11-21 10:00:00+00", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10:00:00+0000", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10:00:00-0530", "2026-11-21T15:30:00.000Z"],
    ["2026-11-21T10:00:00\u221205:00", "2026-11-21T15:00:00.000Z"],
    ["2026-11-21 10:00:00 +0100", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21 10:00:00 UTC", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21 10:00:00 est", "2026-11-21T15:00:00.000Z"],
    ["2026-11-21 10:00:00.123456789 +0100 CET m=+0.012", "2026-11-21T09:00:00.123Z"],
    ["2026-11-21T10:00:00+01:00[Europe/Berlin]", "2026-11-21T09:00:00.000Z"],
    ["2026-11-21T10:00:00Z[Europe/Berlin][u-ca=gregory]", "2026-11-21T10:00:00.000Z"],
    ["2026-07-21T10:00[Europe/Berlin]", "2026-07-21T08:00:00.000Z"],
    ["2026-11-21T10:00:00Z[UTC]", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21+01:00", "2026-11-20T23:00:00.000Z"],
    ["20261121", "2026-11-21T00:00:00.000Z"],
    ["20261121T100000Z", "2026-11-21T10:00:00.000Z"],
    ["20261121T1000+01", "2026-11-21T09:00:00.000Z"],
    ["20261121100000Z", "2026-11-21T10:00:00.000Z"],
    ["20261121100000", "2026-11-21T10:00:00.000Z"],
    ["20261121100000.25", "2026-11-21T10:00:00.250Z"],
    ["20261121100000123", "2026-11-21T10:00:00.123Z"],
    [20261121, "2026-11-21T00:00:00.000Z"],
    ["2026-W47-6", "2026-11-21T00:00:00.000Z"],
    ["2020W537T10:00Z", "2021-01-03T10:00:00.000Z"],
    ["2026-325", "2026-11-21T00:00:00.000Z"],
    ["2024-366T00:00:00Z", "2024-12-31T00:00:00.000Z"],
    ["2026/11/21 10:00", "2026-11-21T10:00:00.000Z"],
    ["2026:11:21 10:00:00", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21 12:30 AM", "2026-11-21T00:30:00.000Z"],
    ["2026-11-21T24:00:00Z", "2026-11-22T00:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2016-12-31T18:59:60-05:00", "2017-01-01T00:00:00.000Z"],
    ["0099-01-01", "0099-01-01T00:00:00.000Z"],
    // With the name of the month.
    ["Sat, 21 Nov 2026 10:00:00 +0000", "2026-11-21T10:00:00.000Z"],
    ["Sat, 21 Nov 26 10:00:00 PDT", "2026-11-21T17:00:00.000Z"],
    ["21 Nov 2026 10:00:00 -0800 (PST)", "2026-11-21T18:00:00.000Z"],
    ["Sun, 06 Nov 94 08:49 GMT", "1994-11-06T08:49:00.000Z"],
    ["Saturday, 21-Nov-26 10:00:00 GMT", "2026-11-21T10:00:00.000Z"],
    ["Sat Nov  7 10:00:00 2026", "2026-11-07T10:00:00.000Z"],
    ["Sat Nov 21 10:00:00 UTC 2026", "2026-11-21T10:00:00.000Z"],
    ["Sat Nov 21 10:00:00 +0100 2026", "2026-11-21T09:00:00.000Z"],
    ["Sat Nov 21 2026 10:00:00 GMT-0500 (Eastern Standard Time)", "2026-11-21T15:00:00.000Z"],
    ["10:00:00 Nov 21, 2026 PST", "2026-11-21T18:00:00.000Z"],
    ["21/Nov/2026:10:00:00 +0100", "2026-11-21T09:00:00.000Z"],
    ["November 21st, 2026 at 1:05 p.m.", "2026-11-21T13:05:00.000Z"],
    ["Nov 21, 2026 10:00:00,5 AM", "2026-11-21T10:00:00.500Z"],
    ["21-NOV-2026", "2026-11-21T00:00:00.000Z"],
    ["Nov-21-2026", "2026-11-21T00:00:00.000Z"],
    ["2026-Nov-21", "2026-11-21T00:00:00.000Z"],
    // Numbers.
    [1_795_255_200, "2026-11-21T10:00:00.000Z"],
    ["1795255200", "2026-11-21T10:00:00.000Z"],
    ["1795255200.9999", "2026-11-21T10:00:00.999Z"],
    [1_795_255_200.123, "2026-11-21T10:00:00.123Z"],
    [exact("1.7952552E9"), "2026-11-21T10:00:00.000Z"],
    [1_795_255_200_123, "2026-11-21T10:00:00.123Z"],
    ["1795255200123456", "2026-11-21T10:00:00.123Z"],
    [1_795_255_200_123_456, "2026-11-21T10:00:00.123Z"],
    [exact("1795255200123456789"), "2026-11-21T10:00:00.123Z"],
    ["1795255200123456789", "2026-11-21T10:00:00.123Z"],
    ["253402300799", "9999-12-31T23:59:59.000Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    [-86_400, "1969-12-31T00:00:00.000Z"],
    [-1.5, "1969-12-31T23:59:58.500Z"],
    ["/Date(1795255200000)/", "2026-11-21T10:00:00.000Z"],
    ["/Date(1795255200000+0100)/", "2026-11-21T10:00:00.000Z"],
    ["/Date(-86400000)/", "1969-12-31T00:00:00.000Z"],
    [" 2026-11-21 ", "2026-11-21T00:00:00.000Z"],
  ])("%j is %s, wherever the server is", (value, expected) => {
    for (const zone of ["America/New_York", "UTC"]) {
      vi.stubEnv("TZ", zone);
      expect([zone, read(value)]).toEqual([zone, expected]);
    }
  });

  const apart = "day and month can't be told apart: bring it to a form such as 2026-11-21 first";
  const none = "a time that doesn't exist: correct it where it is sent, or use another field";
  const form = "not a date: use a form such as 2026-11-21T10:00:00Z, or a Unix time";
  const small = "too small for a Unix time: use a form such as 2026-11-21; the day number of a";
  const unit = "not a Unix time in seconds, milliseconds, microseconds, or nanoseconds: calculate";
  it.each<[unknown, string]>([
    ["11/21/2026", apart],
    ["21.11.2026", apart],
    ["11-21-2026 10:00", apart],
    ["10:00 11-21-2026", apart],
    ["21.11.26", apart],
    ["2026-02-30", none],
    ["2025-02-29", none],
    ["2026-13-01", none],
    ["0000-00-00 00:00:00", none],
    ["Mon, 30 Feb 2026 10:00:00 GMT", none],
    ["2026-W54-1", none],
    ["2026-366", none],
    ["2026-11-21T24:00:01Z", none],
    ["2026-11-21T25:00:00Z", none],
    ["2026-11-21T10:60:00Z", none],
    ["2026-11-21T10:00:60Z", none],
    ["2026-11-21 13:00 PM", none],
    ["2026-03-29T02:30:00[Europe/Berlin]", none],
    ["2026-10-25T02:30:00[Europe/Berlin]", "comes twice, because clocks are set back: send it"],
    ["2026-11-21T10:00:00+05:00[Europe/Berlin]", "whose offset is not that of its zone"],
    ["2026-11-21T10:00:00[Europe/Atlantis]", "whose zone Europe/Atlantis is not a known one: use"],
    ["2026-11-21 10:00:00 CET", "whose zone CET is not a known one: use an offset such as +01:00"],
    ["Sat Nov 21 10:00:00 IST 2026", "whose zone IST is not a known one"],
    ["2026-11-21T10:00:00+25:00", "whose zone +25:00 is not a known one"],
    ["Fri, 21 Nov 2026 10:00:00 GMT", "the wrong day of the week for its date: correct it"],
    ["2026-11-21T10:00:00 01:00", "lost its sign, as a + does in a form: have it sent with %2B"],
    [46_347, small],
    ["46347.416", small],
    ["2026", small],
    ["2461366", small],
    ["639010764000000000", unit],
    ["134397288000000000", unit],
    [1e14, unit],
    ["202611211000", "a date in digits, or milliseconds since 1970: use"],
    ["2026-11", form],
    ["soon", form],
    ["now", form],
    ["7 days ago", form],
    ["2026-11-21T10:00:00Z and more", form],
    ["21 novembre 2026", form],
    ["1:11 ".repeat(200_000), form],
    [" ", "which is empty: say what counts instead, such as with default"],
    [Number.NaN, form],
    [exact("1e400"), form],
    [true, form],
    [null, form],
    [undefined, form],
    [["2026-11-21"], form],
    [{}, form],
  ])("%j is refused, with a way out", (value, expected) => {
    expect(read(value)).toContain(expected);
  });

  test("is read back from what every language writes", () => {
    const date = fc.date({
      min: new Date("0001-01-02"),
      max: new Date("9999-12-30"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, fc.integer({ min: -1_439, max: 1_439 }), (instant, offset) => {
        const ms = instant.getTime();
        expect(readDate(instant.toISOString())).toEqual({ ok: true, ms });
        const seconds = Math.floor(ms / 1_000) * 1_000;
        expect(readDate(instant.toUTCString())).toEqual({ ok: true, ms: seconds });
        expect(readDate(String(instant))).toEqual({ ok: true, ms: seconds });
        const local = new Date(ms + offset * 60_000).toISOString();
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0");
        const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
        const written = `${local.slice(0, -1)}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
        expect(readDate(written)).toEqual({ ok: true, ms });
      }),
    );
  });

  test("in any unit is the same instant", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e9, max: 9_999_999_999 }), (seconds) => {
        const zeros = ["", "000", "000000", "000000000"];
        const read = zeros.map((more) => readDate(`${seconds}${more}`));
        expect(read).toEqual(zeros.map(() => ({ ok: true, ms: seconds * 1_000 })));
      }),
    );
  });

  test("of any text is never read in a way that throws", () => {
    const piece = fc.constantFrom(
      "2026",
      "-",
      "11",
      "21",
      "T",
      "10:00",
      "+01",
      "Nov",
      " ",
      "[",
      "Z",
      "/",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(typeof readDate(pieces.join("")).ok).toBe("boolean");
      }),
    );
  });
});

const now = 1_000_000_000_000;

test.each([
  ["now", 0],
  ["Now", 0],
  ["7 days ago", -7 * 86_400_000],
  ["1 day ago", -86_400_000],
  ["in 2 hours", 7_200_000],
  ["in 1 week", 604_800_000],
  ["30 seconds ago", -30_000],
  ["in 90 minutes", 5_400_000],
])("%s counts from now", (text, distanceMs) => {
  expect(readWrittenDate(text, now)).toEqual({ ok: true, ms: now + distanceMs });
});

test.each(["7 days", "in 7 days ago", "days ago", "-1 days ago", "2 months ago", "1.5 days ago"])(
  "%s is no date",
  (text) => {
    expect(readWrittenDate(text, 0).ok).toBe(false);
  },
);
