import { describe, expect, it } from "vitest";
import { nameOfZone, toLocalTime, toUtcTime } from "./local-time.ts";

const berlin = "Europe/Berlin";

describe("the times of a viewer in Berlin", () => {
  it.each([
    ["2026-11-21T08:00", "2026-11-21T09:00", "GMT+1"],
    ["2026-07-01T22:30", "2026-07-02T00:30", "GMT+2"],
    // The last minute of summer time's first hour, and the first one after the clocks go back.
    ["2026-03-29T01:00", "2026-03-29T03:00", "GMT+2"],
    ["2026-10-25T01:00", "2026-10-25T02:00", "GMT+1"],
  ])("%s in the URL is %s in the field", (utc, local, zone) => {
    expect(toLocalTime(utc, berlin)).toBe(local);
    expect(toUtcTime(local, berlin)).toBe(utc);
    expect(nameOfZone(local, berlin)).toBe(zone);
  });

  it("a URL may contain a time zone and seconds", () => {
    expect(toLocalTime("2026-11-21T08:00:59+05:00", berlin)).toBe("2026-11-21T04:00");
    expect(toLocalTime("2026-11-21T08:00:59", berlin)).toBe("2026-11-21T09:00");
  });

  it.each(["", "yesterday"])("%j is unchanged", (text) => {
    expect(toLocalTime(text, berlin)).toBe(text);
    expect(toUtcTime(text, berlin)).toBe(text);
    expect(nameOfZone(text, "UTC")).toBe("UTC");
    expect(nameOfZone(text, berlin)).toMatch(/^GMT\+[12]$/);
  });
});

it("zones behind UTC and with half hours are converted both ways", () => {
  expect(toLocalTime("2026-11-21T02:00", "America/New_York")).toBe("2026-11-20T21:00");
  expect(toUtcTime("2026-11-21T13:30", "Asia/Kolkata")).toBe("2026-11-21T08:00");
});
