import { afterEach, expect, test, vi } from "vitest";
import { parseDateMs } from "./parse-date.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["11-21-2026", "2026-11-21T00:00:00.000Z"],
  ["Nov-21-2026", "2026-11-21T00:00:00.000Z"],
  ["11-21-2026 10:00", "2026-11-21T10:00:00.000Z"],
  ["10:00 11-21-2026", "2026-11-21T10:00:00.000Z"],
  ["11/21/2026", "2026-11-21T00:00:00.000Z"],
  ["2026-11-21", "2026-11-21T00:00:00.000Z"],
  ["2026-11-21 10:00:00", "2026-11-21T10:00:00.000Z"],
  ["2026-11-21T10:00:00+02:00", "2026-11-21T08:00:00.000Z"],
  ["2026-11-21T10:00:00.5-0500", "2026-11-21T15:00:00.500Z"],
  ["Sat, 21 Nov 2026 10:00:00 +0100", "2026-11-21T09:00:00.000Z"],
  ["Sat Nov 21 2026 10:00:00 GMT+0100", "2026-11-21T09:00:00.000Z"],
  ["Sat, 21 Nov 2026 10:00:00 EST", "2026-11-21T15:00:00.000Z"],
])("%s is %s, wherever the server is", (text, expected) => {
  for (const zone of ["Europe/Berlin", "America/New_York", "UTC"]) {
    vi.stubEnv("TZ", zone);
    const ms = parseDateMs(text, 0);
    expect([zone, ms === undefined ? ms : new Date(ms).toISOString()]).toEqual([zone, expected]);
  }
});

test("text that is longer than any date isn't one, and takes no time", () => {
  const times = "1:11 ".repeat(200_000);
  expect(parseDateMs(times, 0)).toBeUndefined();
  expect(parseDateMs(`Sat Nov 21 2026 10:00:00 GMT+0100 (${times})`, 0)).toBeUndefined();
});
