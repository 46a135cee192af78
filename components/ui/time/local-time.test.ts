import { beforeEach, describe, expect, it, vi } from "vitest";
import { nameOfZone, toLocalTime, toUtcTime } from "./local-time.ts";

describe("the times of a viewer in Berlin", () => {
  beforeEach(() => {
    vi.stubEnv("TZ", "Europe/Berlin");
  });

  it.each([
    ["2026-11-21T08:00", "2026-11-21T09:00", "GMT+1"],
    ["2026-07-01T22:30", "2026-07-02T00:30", "GMT+2"],
  ])("%s in the URL is %s in the field", (utc, local, zone) => {
    expect(toLocalTime(utc)).toBe(local);
    expect(toUtcTime(local)).toBe(utc);
    expect(nameOfZone(local)).toBe(zone);
  });

  it("a URL may contain a time zone and seconds", () => {
    expect(toLocalTime("2026-11-21T08:00:59+05:00")).toBe("2026-11-21T04:00");
    expect(toLocalTime("2026-11-21T08:00:59")).toBe("2026-11-21T09:00");
  });

  it.each(["", "yesterday"])("%j is unchanged", (text) => {
    expect(toLocalTime(text)).toBe(text);
    expect(toUtcTime(text)).toBe(text);
    expect(nameOfZone(text)).toMatch(/^GMT\+[12]$/);
  });
});
