import fc from "fast-check";
import { expect, test } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import { findNumberSource } from "./number-source.ts";

test.each([
  ['{"id":12345678901234567890}', "id", "12345678901234567890"],
  ['{"a":{"id":[1,{"n":-1.10e+5}]}}', "a.id.1.n", "-1.10e+5"],
  ['\n{ "x" : "\\"id\\":1" , "id" :\t1e400 }', "id", "1e400"],
  ['{"id":1,"id":2.0}', "id", "2.0"],
  ['{"i\\u0064":3.0}', "id", "3.0"],
  ['{"a":"\\\\","id":4.0}', "id", "4.0"],
  ['{"a":[{"id":1}],"b":{"id":2},"id":5.0}', "id", "5.0"],
  ['{"__proto__":6.0}', "__proto__", "6.0"],
  ["[7.0]", "0", "7.0"],
  ["[6,7.0]", "[-1]", "7.0"],
  ["[7.0,8]", "first", "7.0"],
  ['{"data[id]":7.0}', '["data[id]"]', "7.0"],
  ['{"a.b":{"id":7.0}}', "['a.b'].id", "7.0"],
  ["[7]", "[1]", null],
  ["[7]", "size", null],
  ['{"id":"8"}', "id", null],
  ['{"id":{}}', "id.x", null],
  ["[]", "0", null],
  ["9", "id", null],
])("%s at %s is %s", (text, path, expected) => {
  expect(findNumberSource(text, readSteps(path))).toBe(expected);
});

test("property: any number is found with its original text", () => {
  const name = fc.string();
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 5 }),
      fc.jsonValue(),
      fc.constantFrom("0", "-0", "1.50", "1e5", "-12345678901234567890.10", "2E-7"),
      (path, noise, digits) => {
        const inner = path.reduceRight((text, key) => {
          const sibling = `${key}x`;
          return `{${JSON.stringify(sibling)}:${JSON.stringify(noise)}, ${JSON.stringify(key)} : ${text}}`;
        }, digits);
        expect(findNumberSource(inner, path)).toBe(digits);
      },
    ),
  );
});

test("a large, deep body is read quickly, without recursion", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const wide = `[${"1.5,".repeat(1_000_000)}"${"\\\\".repeat(500_000)}"]`;
  const elapsedMs = startProcessorTime();
  expect(findNumberSource(`{"a":${deep},"b":${wide},"id":10.0}`, ["id"])).toBe("10.0");
  expect(elapsedMs()).toBeLessThan(2_000);
});
