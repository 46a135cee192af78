import { expect, it } from "vitest";
import { describeAccept, describeAcceptCounts } from "./describe-accept.ts";

it("says how many there are, and the results", () => {
  expect([1, 1_243, null].map(describeAccept)).toEqual([
    "Accept 1 rejected delivery",
    "Accept 1,243 rejected deliveries",
    "Accept all rejected deliveries that match",
  ]);
  const none = { changedCount: 0, duplicateCount: 0, rejectedCount: 0, notStoredCount: 0 };
  expect(describeAcceptCounts(none)).toBe("0 accepted");
  expect(
    describeAcceptCounts({
      changedCount: 1_200,
      duplicateCount: 1,
      rejectedCount: 3,
      notStoredCount: 2,
    }),
  ).toBe("1,200 accepted, 1 duplicate, 3 still rejected, 2 can't be checked: not fully stored");
});
