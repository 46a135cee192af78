import { expect, it } from "vitest";
import { nextHops } from "./hops.ts";

it.each([
  [undefined, 1],
  ["1", 2],
  ["5", 6],
  ["", 1],
  ["-3", 1],
  ["1e9", 1],
  ["99999999999", 1],
])("a delivery with hops %j makes a call with %i", (value, expected) => {
  expect(nextHops(value === undefined ? {} : { "catchment-hops": [value] })).toBe(expected);
});
