import fc from "fast-check";
import { expect, test } from "vitest";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { renderString } from "./render-template.ts";
import { contextOf } from "./testing/test-context.ts";

function value(expression: string, payload: string): unknown {
  const rendered = renderString(`{{ ${expression} }}`, { context: contextOf(payload), nowMs: 0 });
  if (!rendered.ok) return rendered.messages;
  const json = stringifyExactJson(rendered.value);
  return json.ok ? json.text : json.message;
}

test.each([
  ["payload | abs", "-12345678901234567890", "12345678901234567890"],
  ["payload | abs", "-90071992547409.93", "90071992547409.93"],
  ["payload | to_integer", '"12345678901234567890"', "12345678901234567890"],
  ["payload | to_integer", '" 9007199254740993 "', "9007199254740993"],
  ["payload | to_integer", '"19.99"', "19.99"],
  ["payload | at_least: 0", "90071992547409931.10", "90071992547409931.1"],
  ["payload | at_least: 12345678901234567891", "12345678901234567890", "12345678901234567891"],
  ["payload | at_most: 12345678901234567889", "12345678901234567890", "12345678901234567889"],
  ["payload | floor", "12345678901234567890.9", "12345678901234567890"],
  ["payload | floor", "-12345678901234567890.1", "-12345678901234567891"],
  ["payload | ceil", "12345678901234567890.1", "12345678901234567891"],
  ["payload | ceil", "-12345678901234567890.9", "-12345678901234567890"],
  ["payload | round", "12345678901234567890.5", "12345678901234567891"],
  ["payload | round: 2", "90071992547409931.125", "90071992547409931.13"],
  ["payload | round: 2", "-90071992547409931.125", "-90071992547409931.13"],
  ["payload | round: -2", "12345678901234567890", "12345678901234567900"],
  ["payload | divided_by: 100", "12345678901234567890", "123456789012345678.9"],
  ["payload | divided_by: 100", "4250", "42.5"],
  ["payload | divided_by: 0.1", "0.3", "3"],
  ["payload | divided_by: 3", "1", "0.3333333333333333"],
  ["payload | divided_by: 100, true", "12345678901234567890", "123456789012345678"],
  ["payload | modulo: 1000", "12345678901234567890", "890"],
  ["payload | modulo: 1000", "-12345678901234567890", "110"],
])("%s of %s is %s", (expression, payload, expected) => {
  expect(value(expression, payload)).toBe(expected);
});

test.each([
  ["payload | abs", '"no number"', "0"],
  ["payload | round", "null", "0"],
  ["payload | at_least: 5", '"no number"', "5"],
  [
    "payload | divided_by: 0",
    "1",
    ["the result is Infinity, which is not a number that can be sent"],
  ],
  ["payload | modulo: 0", "1", ["the result is NaN, which is not a number that can be sent"]],
  [
    "payload | to_integer",
    '"4,200"',
    ["the result is NaN, which is not a number that can be sent"],
  ],
])("%s of %s stays %s, as in Liquid", (expression, payload, expected) => {
  expect(value(expression, payload)).toEqual(expected);
});

test("whole numbers below 2^53 are what JavaScript computes", () => {
  const whole = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(
      whole,
      whole.filter((number) => number !== 0),
      (a, b) => {
        const payload = JSON.stringify({ data: { a, b } });
        const compute = (filter: string) => Number(value(`data.a | ${filter}`, payload));
        expect(compute("abs")).toBe(Math.abs(a));
        expect(compute("at_least: data.b")).toBe(Math.max(a, b));
        expect(compute("at_most: data.b")).toBe(Math.min(a, b));
        expect(compute("modulo: data.b")).toBe((((a % b) + b) % b) + 0);
        expect(compute("divided_by: data.b, true")).toBe(Math.floor(a / b) + 0);
        expect(compute("divided_by: data.b")).toBe(a / b + 0);
      },
    ),
  );
});
