import { expect, test } from "vitest";
import { toBodyStart } from "./delivery-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("the start of a text is one line, whole characters only", () => {
  expect(toBodyStart(bytes('{\n  "name": "Ada",\r\n\t"n": 1\n}'))).toBe(
    '{ "name": "Ada", "n": 1 }',
  );
  expect(toBodyStart(bytes("naïve €").subarray(0, -1))).toBe("naïve");
});

test("a body that isn't text has no start to show", () => {
  expect(toBodyStart(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a))).toBeNull();
  expect(toBodyStart(bytes("a\0b"))).toBeNull();
  expect(toBodyStart(bytes("\u001b[31mred"))).toBeNull();
});
