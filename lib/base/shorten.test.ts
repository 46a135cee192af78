import { expect, test } from "vitest";
import { shorten } from "./shorten.ts";

test.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["abc🙂🙂", 6, "abc🙂…"],
  ["abc🙂🙂", 5, "abc…"],
  ["", 3, ""],
])("%j is at most %i long", (text, maxChars, shown) => {
  expect(shorten(text, maxChars)).toBe(shown);
});
