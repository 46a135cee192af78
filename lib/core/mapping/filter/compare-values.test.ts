import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { hasPart, isEqual } from "./compare-values.ts";
import { evaluate } from "./testing/evaluate.ts";

const exact = (digits: string) => new ExactNumber(digits);

describe("a value equals", () => {
  test.each<[unknown, unknown, boolean]>([
    ["4200", 4200, true],
    ["4200.00", 4200, true],
    ["1.0", 1, true],
    ["-0", 0, true],
    ["1e3", 1000, true],
    ["12345678901234567890123", exact("12345678901234567890123"), true],
    ["12345678901234567890124", exact("12345678901234567890123"), false],
    ["9007199254740993", 9007199254740992, false],
    ["true", true, true],
    ["False", false, true],
    ["", 0, false],
    [" 5 ", 5, false],
    ["0x10", 16, false],
    ["5 EUR", 5, false],
    ["yes", true, false],
    ["", false, false],
    [1, true, false],
    [0, false, false],
    ["null", null, false],
    ["", null, false],
    [null, null, true],
    [null, 0, false],
    ["1.0", "1", false],
    ["007", "7", false],
    [["5"], 5, false],
    [{}, "[object Object]", false],
  ])("%j and %j: %j, in either order", (one, other, expected) => {
    expect(isEqual(one, other)).toBe(expected);
    expect(isEqual(other, one)).toBe(expected);
  });

  test("what its text equals, whichever of the two is text", () => {
    const number = fc.double({ noDefaultInfinity: true, noNaN: true });
    fc.assert(
      fc.property(number, number, (one, other) => {
        const same = isEqual(one, other);
        expect(isEqual(JSON.stringify(one), other)).toBe(same);
        expect(isEqual(one, JSON.stringify(other))).toBe(same);
        // As `gte` and `lte` decide together.
        const of = (op: string) =>
          evaluate({ all: [{ path: "data", op, value: other }] }, { data: String(one) });
        expect(of("equals").matches).toBe(of("gte").matches && of("lte").matches);
        expect(of("notEquals").matches).toBe(!same);
      }),
    );
  });
});

test.each<[unknown, unknown, boolean]>([
  [["1", 2, "x"], 1, true],
  [["1", 2, "x"], "2", true],
  [["true"], true, true],
  [[exact("1.10")], "1.1", true],
  [["vip"], "vi", false],
  ["order-5", 5, true],
  [4200, "42", true],
  ["it is true", true, true],
  ["x", null, false],
  [null, "", false],
  [{ a: 1 }, "a", false],
])("%j contains %j: %j", (actual, wanted, expected) => {
  expect(hasPart(actual, wanted)).toBe(expected);
});

test.each<[object, unknown, boolean]>([
  [{ op: "equals", value: 42 }, "42", true],
  [{ op: "equals", value: "42" }, 42, true],
  [{ op: "notEquals", value: 42 }, "42.0", false],
  [{ op: "in", value: ["a", 42] }, "42", true],
  [{ op: "in", value: ["true"] }, true, true],
  [{ op: "contains", value: 42 }, ["42"], true],
  [{ op: "equals", value: "" }, 0, false],
])("a condition %j on %j: %j", (condition, data, expected) => {
  const all = [{ path: "data", ...condition }];
  expect(evaluate({ all }, { data }).matches).toBe(expected);
  expect(evaluate({ none: all }, { data }).matches).toBe(!expected);
});
