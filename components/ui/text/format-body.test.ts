import { expect, test } from "vitest";
import { formatBody } from "./format-body.ts";

test("JSON gets a line per value, and keeps every digit and escape", () => {
  const sent =
    '{"a":1.10,"big":12345678901234567890,"e":[],"o":{},"l":[1,{"s":"\\u00e9, {x}: \\"y\\""}]}';
  expect(formatBody(sent)).toBe(`{
  "a": 1.10,
  "big": 12345678901234567890,
  "e": [],
  "o": {},
  "l": [
    1,
    {
      "s": "\\u00e9, {x}: \\"y\\""
    }
  ]
}`);
  expect(formatBody(String(formatBody(sent)))).toBeNull();
});

test("XML gets a line per element, and text stays in its element", () => {
  expect(
    formatBody('<?xml version="1.0"?><a><b x="1">t &amp; u</b><c/><d><e></e></d></a>'),
  ).toBe(`<?xml version="1.0"?>
<a>
  <b x="1">t &amp; u</b>
  <c/>
  <d>
    <e></e>
  </d>
</a>`);
});

test("other text is unchanged", () => {
  for (const text of ["a=1&b=2", "hello", "{broken", "", "12"]) expect(formatBody(text)).toBeNull();
});
