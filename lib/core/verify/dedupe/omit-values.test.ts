import fc from "fast-check";
import { expect, test } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import { omitValues as omitSteps } from "./omit-values.ts";

const omitValues = (text: string, paths: readonly string[]) =>
  omitSteps(text, paths.map(readSteps));

test.each([
  ['{"id":1,"try":2}', ["try"], '{"id":1,"try":}'],
  ['{"try" : {"n":[1,"}"]} ,"id":1.50}', ["try"], '{"try" :  ,"id":1.50}'],
  ['{"a":{"try":1},"try":2}', ["a.try"], '{"a":{"try":},"try":2}'],
  ['{"b":2,"a":1}', ["a", "b"], '{"b":,"a":}'],
  ['{"a":{"try":1}}', ["a", "a.try"], '{"a":}'],
  ['{"a":{"try":1}}', ["a.try", "a"], '{"a":}'],
  ['[{"try":1}]', ["0.try"], '[{"try":}]'],
  ['[{"try":1}]', ["[-1].try"], '[{"try":}]'],
  ['{"a[try]":1,"a":{"try":2}}', ['["a[try]"]'], '{"a[try]":,"a":{"try":2}}'],
  ['{"id":1}', ["try", "id.try", "a.b.c"], '{"id":1}'],
  ["[]", ["0"], "[]"],
  ["7", ["try"], "7"],
])("%s without %j is %s", (text, paths, expected) => {
  expect(omitValues(text, paths)).toBe(expected);
});

test("property: only the omitted value makes no difference", () => {
  const value = fc.jsonValue();
  fc.assert(
    fc.property(value, value, value, (one, other, rest) => {
      const write = (tries: unknown, id: unknown) => JSON.stringify({ id, tries, more: [id, 1] });
      expect(omitValues(write(one, rest), ["tries"])).toBe(
        omitValues(write(other, rest), ["tries"]),
      );
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(omitValues(write(rest, one), ["tries"])).not.toBe(
        omitValues(write(rest, other), ["tries"]),
      );
    }),
  );
});

test("a large, deep body is read quickly, without recursion", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const wide = `[${"1.5,".repeat(1_000_000)}1]`;
  const elapsedMs = startProcessorTime();
  const text = omitValues(`{"a":${deep},"tries":${wide},"id":1}`, ["tries", "a"]);
  expect(text).toBe('{"a":,"tries":,"id":1}');
  expect(elapsedMs()).toBeLessThan(2_000);
});
