import { expect, test } from "vitest";
import { describeOffset, followClock, type SeenClock } from "./follow-clock.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const start = Date.parse("2026-11-28T12:00:00Z");

/** Looks at a clock that shows these times after the start, one after the other. */
function look(times: readonly number[]) {
  let seen: SeenClock | null = null;
  return times.map((time) => {
    const step = followClock(seen, start + time);
    seen = step.seen;
    return step;
  });
}

/** Looks every half hour from one time to another. */
const run = (from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / (hour / 2)) + 1 }, (_, n) => from + n * (hour / 2));

test.each([
  ["runs on", [0, minute, 2 * minute], "steady", 0],
  ["goes back by ten seconds", [0, minute, 50_000], "steady", 10_000],
  ["is an hour behind after a restart", [0, -hour], "steady", hour],
  ["is an hour and a second behind", [0, -hour - 1_000], "behind", hour + 1_000],
  ["is 2 hours behind", [0, -2 * hour], "behind", 2 * hour],
  ["is 2 days behind", [0, -2 * day], "behind", 2 * day],
  ["is 100 days behind", [0, -100 * day], "behind", 100 * day],
  ["shows 1970", [0, -start], "behind", start],
  [
    "stays behind at the next restarts",
    [0, -100 * day, minute - 100 * day],
    "behind",
    100 * day - minute,
  ],
  ["is right again after it was behind", [0, -100 * day, hour], "steady", 0],
  ["is an hour ahead", [0, hour], "steady", 0],
  ["is 2 hours ahead", [0, 2 * hour], "jumped", 0],
  ["is 2 days ahead", [0, 2 * day], "jumped", 0],
  ["is 100 days ahead", [0, 100 * day], "jumped", 0],
  ["was an hour and a second ahead, and is right again", [0, hour + 1_000, minute], "corrected", 0],
  ["was 2 hours ahead, and is right again", [0, 2 * hour, hour / 2], "corrected", 0],
  ["was 2 days ahead, and is right again", [0, 2 * day, minute], "corrected", 0],
  [
    "was 100 days ahead for an hour, and is right again",
    [0, ...run(100 * day, 100 * day + hour), hour],
    "corrected",
    0,
  ],
  ["was 100 days ahead over two restarts", [0, 100 * day, 200 * day, hour], "corrected", 0],
  [
    "was 100 days ahead, and is 100 days behind then",
    [0, 100 * day, -100 * day],
    "behind",
    200 * day,
  ],
  [
    "was ahead for more than a week, and goes back",
    [0, ...run(100 * day, 108 * day), 8 * day],
    "behind",
    100 * day,
  ],
] as const)("a clock that %s", (_name, times, event, behindMs) => {
  expect(look(times).at(-1)).toMatchObject({ event, behindMs });
});

test("the time that counts for retention leaves a jump out, until the clock has run for a week", () => {
  const trusted = (times: readonly number[]) => {
    const at = look(times).at(-1)?.seen.trustedAtMs;
    return at === null || at === undefined ? null : at - start;
  };
  expect(trusted([0, 100 * day])).toBe(0);
  expect(trusted([0, ...run(100 * day, 103 * day)])).toBe(3 * day);
  // Every night off is a jump too, and doesn't hold retention up for good.
  expect(trusted([0, 12 * hour, 13 * hour, 36 * hour, 37 * hour])).toBe(2 * hour);
  expect(trusted([0, ...run(100 * day, 107 * day)])).toBeNull();
  expect(trusted([0, 100 * day, minute])).toBeNull();
});

test.each([
  [-90_000, "90 seconds behind"],
  [45 * minute, "45 minutes ahead"],
  [-5 * hour, "5 hours behind"],
  [-100 * day, "100 days behind"],
  [2_000_000 * day, "2000000 days ahead"],
])("an offset of %i ms is %s", (offMs, words) => {
  expect(describeOffset(offMs)).toBe(words);
});
