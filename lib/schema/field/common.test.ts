import { expect, test } from "vitest";
import { instant } from "./common.ts";

test.each([
  ["2026-11-21", Date.UTC(2026, 10, 21)],
  ["2028-02-29", Date.UTC(2028, 1, 29)],
  ["2026-11-21T08:00Z", Date.UTC(2026, 10, 21, 8)],
  ["2026-03-01T00:30:00+01:00", Date.UTC(2026, 1, 28, 23, 30)],
  ["2026-11-21T08:00:00.123456789Z", Date.UTC(2026, 10, 21, 8, 0, 0, 123)],
  ["2026-11-30T24:00:00Z", Date.UTC(2026, 11, 1)],
])("%s is an instant", (text, ms) => {
  expect(instant.parse(text)).toBe(ms);
});

test.each([
  "2026-02-30",
  "2026-02-29T00:00:00Z",
  "2026-11-31T08:00:00+01:00",
  "2026-13-01",
  "2026-11-00",
  "2026-11-21T25:00:00Z",
  "1969-12-31",
])("%s is a day or a time that doesn't exist, not the one after it", (text) => {
  const parsed = instant.safeParse(text);
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual([
    "must be a valid time, not before 1970",
  ]);
});
