import { expect, it } from "vitest";
import { runStatuses } from "#lib/schema/act/run-states.ts";
import { groupSends } from "./send-counts.tsx";

it("counts every state exactly once, failures first", () => {
  const groups = groupSends(runStatuses.map((status, at) => [status, 10 ** at]));
  const all = runStatuses.reduce((sum, _, at) => sum + 10 ** at, 0);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(all);
  expect(groups.map(({ words }) => words)).toEqual([
    "failed",
    "retrying",
    "waiting",
    "succeeded",
    "not sent",
  ]);
});

it("leaves out what there is none of", () => {
  expect(groupSends([["succeeded", 3]])).toEqual([
    { words: "succeeded", tone: "positive", count: 3 },
  ]);
});
