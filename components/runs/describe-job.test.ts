import { expect, test } from "vitest";
import { describeJob } from "./describe-job.ts";

const retry = {
  id: "job",
  kind: "retry",
  status: "finished",
  total: 5_200,
  changedCount: 5_200,
  isTrial: false,
  pauseReason: null,
  problem: null,
  openCount: 0,
  succeededCount: 0,
  failedCount: 0,
  skippedCount: 0,
  cancelledCount: 0,
  createdAt: new Date(0),
} as const;

const show = (job: Parameters<typeof describeJob>[0]) => {
  const { badge, lead, parts } = describeJob(job);
  return [badge?.tone ?? "bar", lead, parts.map(({ text }) => text).join(", ")];
};

test("a job is only green if nothing failed, and says what became of its runs", () => {
  expect(show({ ...retry, failedCount: 5_200 })).toEqual([
    "negative",
    null,
    "0 succeeded, 5,200 failed again",
  ]);
  expect(show({ ...retry, succeededCount: 5_199, failedCount: 1 })).toEqual([
    "caution",
    null,
    "5,199 succeeded, 1 failed again",
  ]);
  expect(show({ ...retry, kind: "replay", succeededCount: 5_190, skippedCount: 10 })).toEqual([
    "positive",
    null,
    "5,190 succeeded, 0 failed, 10 skipped",
  ]);
});

test("a job isn't done while a run of it is open", () => {
  const open = { succeededCount: 900, failedCount: 300, openCount: 4_000 };
  expect(show({ ...retry, ...open })).toEqual([
    "bar",
    "1,200 of 5,200",
    "900 succeeded, 300 failed again, 4,000 not ended yet",
  ]);
});

test("a trial that failed says so, and how many runs nothing happened to", () => {
  const pauseReason = "5 of the first 5 failed. No others were queued.";
  const trial = { ...retry, isTrial: true, changedCount: 5 } as const;
  expect(show({ ...trial, status: "running", openCount: 5 })).toEqual([
    "bar",
    "Trying 5 first · 0 of 5,200",
    "0 succeeded, 0 failed again, 5 not ended yet",
  ]);
  expect(show({ ...trial, status: "paused", failedCount: 5, pauseReason })).toEqual([
    "caution",
    pauseReason,
    "0 succeeded, 5 failed again, 5,195 left alone",
  ]);
});

test("a job whose batch fails says why, and how far it is", () => {
  const problem = "Its last batch failed at 2026-11-26 22:00:00 UTC, and is tried again: No room.";
  const job = { ...retry, status: "running", changedCount: 500, openCount: 500, problem } as const;
  expect(show(job)).toEqual(["caution", problem, "0 succeeded, 0 failed again, 500 not ended yet"]);
});

test("a stopped cancellation says how many runs it has canceled", () => {
  const cancel = { ...retry, kind: "cancel", status: "cancelled", changedCount: 200 } as const;
  expect(show({ ...cancel, cancelledCount: 200 })).toEqual([
    "neutral",
    null,
    "200 canceled, 5,000 left alone",
  ]);
});
