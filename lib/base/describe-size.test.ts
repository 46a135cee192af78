import { expect, it } from "vitest";
import { describeSize } from "./describe-size.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1023 bytes"],
  [1024, "1 KiB"],
  [1229, "1.2 KiB"],
  [10_240, "10 KiB"],
  [10_485_760, "10 MiB"],
  [3.5 * 2 ** 30, "3.5 GiB"],
  [400 * 2 ** 30, "400 GiB"],
  [2 ** 60, "1048576 TiB"],
])("%i bytes are %s", (bytes, words) => {
  expect(describeSize(bytes)).toBe(words);
});
