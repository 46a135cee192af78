import { expect, test } from "vitest";
import { describeSilence, measureUsual } from "./describe-silence.ts";
import { findDeadline, findExpectedDeadline, minSilenceMinutes } from "./find-deadline.ts";
import { learnRhythm } from "./learn-rhythm.ts";
import { outageHours, simulateAll } from "./testing/simulate.ts";
import { buildTimeline, hourMs } from "./timeline.ts";

// `npm run bench:silence` prints the same for many seeds.
test("ten rhythms: outages are found within twice the usual gap, with a false alarm a month at most", {
  tags: "variant",
}, () => {
  for (const { rhythm, usualGap, falseAlarms, foundAfter } of simulateAll(1)) {
    expect(falseAlarms, rhythm).toBeLessThanOrEqual(1);
    const allowed = Math.max(minSilenceMinutes, 2 * usualGap);
    for (const [index, hours] of outageHours.entries()) {
      if (hours * 60 <= allowed) continue;
      expect(foundAfter[index], `${rhythm}, ${hours} h`).not.toBeNull();
      expect(foundAfter[index], `${rhythm}, ${hours} h`).toBeLessThanOrEqual(allowed);
    }
  }
});

const start = Date.UTC(2026, 8, 7);
const day = 24 * hourMs;

function hourly(days: number) {
  return Array.from({ length: days * 24 }, (_, at) => ({
    hourMs: start + at * hourMs,
    accepted: 12,
    minutes: 0b1000010000100001n | (0b1000010000100001n << 30n),
  }));
}

test("a hook with less than two weeks or ten deliveries isn't watched, and says why", () => {
  const learn = (hours: ReturnType<typeof hourly>, days: number) =>
    learnRhythm(
      buildTimeline({ hours, listeningHours: [], fromMs: start, untilMs: start + days * day }),
    );
  expect(learn([], 30)).toEqual({ kind: "unknown", reason: "never" });
  expect(learn(hourly(13), 13)).toEqual({ kind: "unknown", reason: "too_new" });
  expect(learn(hourly(1).slice(0, 1), 30)).toEqual({ kind: "unknown", reason: "too_few" });
  expect(learn(hourly(14), 14)).toMatchObject({ kind: "known" });
});

test("minutes in which Catchment didn't listen are no silence, neither now nor in the past", () => {
  const listens = Array.from({ length: 28 * 24 }, (_, at) => ({
    hourMs: start + at * hourMs,
    minutes: (1n << 60n) - 1n,
  }));
  // Down for two days, and for half an hour.
  const isDown = (at: number) => at >= 200 && at < 248;
  const rhythm = (hours: ReturnType<typeof hourly>, listeningHours: typeof listens) =>
    learnRhythm(buildTimeline({ hours, listeningHours, fromMs: start, untilMs: start + 28 * day }));
  const up = rhythm(hourly(28), listens);
  const down = rhythm(
    hourly(28).filter((_, at) => !isDown(at)),
    listens.filter((_, at) => !isDown(at)),
  );
  if (up.kind === "unknown" || down.kind === "unknown") throw new Error("nothing was learned");
  const from = (start + 28 * day) / 60_000;
  const expected = findDeadline(up, from, () => true);
  expect(findDeadline(down, from, () => true)).toBe(expected);
  const resumes = from + 5_000;
  expect(findDeadline(up, from, (minute) => minute >= resumes)).toBe(
    findDeadline(up, resumes - 1, () => true),
  );
});

test("an hour whose minutes aren't known makes gaps longer, never an alarm earlier", () => {
  const learn = (minutes: bigint | null) => {
    const hours = hourly(28).map((hour) => ({ ...hour, minutes }));
    const rhythm = learnRhythm(
      buildTimeline({ hours, listeningHours: [], fromMs: start, untilMs: start + 28 * day }),
    );
    const from = (start + 28 * day) / 60_000;
    return rhythm.kind === "known" ? (findDeadline(rhythm, from, () => true) ?? 0) - from : 0;
  };
  expect(learn(null)).toBeGreaterThanOrEqual(60);
  expect(learn((1n << 60n) - 1n)).toBe(minSilenceMinutes);
});

test("a hook that should get a delivery every hour is silent after an hour", () => {
  expect(findExpectedDeadline(60, 1_000, () => true)).toBe(1_060);
  expect(findExpectedDeadline(60, 1_000, (minute) => minute > 1_030)).toBe(1_090);
});

test("what is usual is the average of the same hours of earlier weeks, and says which", () => {
  const monday = start + 28 * day;
  const usual = (sinceMs: number, untilMs: number, hours = hourly(28)) =>
    measureUsual(
      buildTimeline({ hours, listeningHours: [], fromMs: start, untilMs }),
      sinceMs,
      untilMs,
    );
  const at = monday + 11 * hourMs + 20 * 60_000;
  const found = usual(at, at + 3 * hourMs);
  expect(found).toEqual({
    perHour: 12,
    hours: "on Mondays from 11:00 to 14:00 UTC",
    earlierWeeks: [12, 12, 12, 12],
  });
  expect(
    describeSilence({ durationMs: 3 * hourMs, usual: found, rejected: [], isMore: false }),
  ).toBe("Usually about 12 an hour on Mondays from 11:00 to 14:00 UTC, nothing for 3 hours");
  expect(usual(at, at + day)?.hours).toBe("at this time of the week");
  // Nothing came at this hour of earlier weeks.
  const nights = hourly(28).filter(({ hourMs: hour }) => new Date(hour).getUTCHours() < 6);
  expect(usual(at, at + 3 * hourMs, nights)).toMatchObject({ hours: null, earlierWeeks: [] });
  expect(usual(at, at + 3 * hourMs, [])).toBeNull();
});
