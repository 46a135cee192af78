import { expect, it } from "vitest";
import { chooseVersion } from "./payload-version.ts";

const now = Date.parse("2026-11-30T00:00:00Z");
const ended = new Date("2026-11-29");
const later = new Date("2026-12-01");
const versions = (ends: readonly (Date | null)[] = [null, null, null]) =>
  ["first", "2026-03-01", "2026-09-01"].map((version, index) => ({
    version,
    endsAt: ends[index] ?? null,
  }));

it.each([
  ["first", undefined, 0],
  ["2026-02-28", undefined, 0],
  ["2026-03-01", undefined, 1],
  ["2026-08-31", undefined, 1],
  ["2027-01-01", undefined, 2],
  ["newest", undefined, 2],
  // One that has ended is followed by the next that hasn't.
  ["first", [ended, null], 1],
  ["first", [ended, ended], 2],
  ["first", [later, null], 0],
  ["2026-03-01", [null, ended], 2],
])("pinned to %s, with ends %j, it is version %i", (pinned, ends, expected) =>
  expect(chooseVersion(versions(ends), pinned, now)).toBe(expected),
);
