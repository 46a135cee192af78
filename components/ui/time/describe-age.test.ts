import { expect, it } from "vitest";
import { describeAge } from "./describe-age.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-30_000, "just now"],
  [4_999, "just now"],
  [59_999, "59 s ago"],
  [minute, "1 min ago"],
  [hour - 1, "59 min ago"],
  [hour, "1 h ago"],
  [day, "yesterday"],
  [2 * day, "2 days ago"],
  [61 * day, "2 months ago"],
  [800 * day, "2 years ago"],
])("%i ms is %s", (ageMs, words) => expect(describeAge(ageMs)).toBe(words));
