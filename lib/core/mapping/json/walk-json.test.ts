import fc from "fast-check";
import { expect, test } from "vitest";
import { findRepeatedName } from "./walk-json.ts";

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}', "a.b.1.c"],
  ['[{"a":1},{"a":1 , "a" :1}]', "1.a"],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"":1,"":2}', ""],
])("%s has the name %j twice", (text, path) => {
  expect(findRepeatedName(text)).toBe(path);
});

test.each([
  '{"a.b":1,"a":{"b":2}}',
  '{"a":"a","b":"a\\":","c":["a","a"]}',
  '[{"a":1},{"a":1}]',
  '"a"',
  "1",
])("%s has no name twice", (text) => {
  expect(findRepeatedName(text)).toBeNull();
});

test("what JSON.stringify writes has no name twice, and has one once a member is repeated", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 5 });
  fc.assert(
    fc.property(object, (value) => {
      const text = JSON.stringify(value, null, 1);
      expect(findRepeatedName(text)).toBeNull();
      const [first = ""] = Object.keys(value);
      const repeated = `${text.slice(0, -1)}, ${JSON.stringify(first)}: 0}`;
      expect(findRepeatedName(repeated)).toBe(first);
    }),
    { numRuns: 500 },
  );
});
