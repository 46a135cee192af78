import { expect, test } from "vitest";
import { describeCounted } from "./differing-duplicates.tsx";

test.each([
  [0, 0, "From now on, the content counts too."],
  [1, 0, "From now on, the content counts too. 1 duplicate was accepted."],
  [3, 1, "From now on, the content counts too. 3 duplicates were accepted; 1 stays a duplicate."],
  [0, 2, "From now on, the content counts too. 2 stay duplicates."],
])("%i accepted and %i kept", (accepted, kept, words) =>
  expect(describeCounted({ accepted, kept })).toBe(words),
);
