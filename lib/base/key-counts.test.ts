import { expect, test } from "vitest";
import { KeyCounts } from "./key-counts.ts";

test("each key counts up to the limit, and again once one is removed", () => {
  const counts = new KeyCounts();
  expect([1, 2, 3].map(() => counts.add("a", 2))).toEqual([true, true, false]);
  expect(counts.add("b", 2)).toBe(true);
  counts.remove("a");
  expect([counts.add("a", 2), counts.add("a", 2)]).toEqual([true, false]);
});

test("removing a key that isn't counted leaves its limit as it is", () => {
  const counts = new KeyCounts();
  counts.remove("a");
  expect([counts.add("a", 1), counts.add("a", 1)]).toEqual([true, false]);
});
