import { expect, test } from "vitest";
import { decodeUrlText } from "./decode-url-text.ts";

test.each([
  ["a%20b", "a b"],
  ["M%C3%BCller", "Müller"],
  ["M%FCller", "M\ufffdller"],
  ["100%", "100%"],
  ["%zz%41", "%zzA"],
  ["%u00e9", "%u00e9"],
  ["%ed%a0%80", "\ufffd\ufffd\ufffd"],
  ["a+b%", "a+b%"],
])("%s is read as in a URL", (text, expected) => {
  expect(decodeUrlText(text)).toBe(expected);
  const inQuery = new URLSearchParams(`a=${text.replaceAll("+", "%2B")}`).get("a");
  expect(inQuery).toBe(expected);
});
