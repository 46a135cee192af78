import { expect, it } from "vitest";
import { readClientKey } from "./request-origin.ts";

it.each([
  ["198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["1.2.3.4, 5.6.7.8", null],
  ["unknown", null],
  ["", null],
])("%s counts for %s", (address, key) => {
  expect(readClientKey(new Headers({ "x-forwarded-for": address }))).toBe(key);
});
