import fc from "fast-check";
import { expect, test } from "vitest";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
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
  ["payload | round", "null", "0"],
  [
    "payload | divided_by: 0",
    "1",
    ["the result is Infinity, which is not a number that can be sent"],
  ],
  ["payload | modulo: 0", "1", ["the result is NaN, which is not a number that can be sent"]],
])("%s of %s stays %s, as in Liquid", (expression, payload, expected) => {
  expect(value(expression, payload)).toEqual(expected);
});

const filters =
  "abs at_least:0 at_most:9 ceil divided_by:2 floor modulo:2 round to_integer plus:1 minus:1 times:100 sum";

test.each(filters.split(" "))("%s fails with text that isn't a number", (usage) => {
  const name = usage.split(":", 1)[0] ?? "";
  const fails = (payload: string, message: string) =>
    expect(value(`payload | ${usage}`, payload)).toEqual([
      `${name} can't calculate with ${message}`,
    ]);
  const digits = "which is not a number: leave only its digits, such as with remove or split";
  fails('"1,234.50"', `"1,234.50", ${digits}`);
  fails('"12 EUR"', `"12 EUR", ${digits}`);
  fails('"Infinity"', `"Infinity", ${digits}`);
  fails(JSON.stringify("x".repeat(1_000)), `"${"x".repeat(39)}…", ${digits}`);
  const fallback =
    "which is not a number: say what counts instead, such as with strip | default: 0";
  fails('""', `"", ${fallback}`);
  fails('" "', `" ", ${fallback}`);
  fails('{"a":1}', `"{\\"a\\":1}", which is not a number: choose a number in it`);
});

test.each([
  "payload.one | plus: payload.text",
  "payload.one | divided_by: payload.text",
  "payload.one | at_least: payload.text",
  "payload.items | sum: 'price'",
  "payload.items | map: 'price' | sum",
])("%s fails with an argument or an item that isn't a number", (expression) => {
  const payload = '{"one":1,"text":"12 EUR","items":[{"price":1},{"price":"12 EUR"}]}';
  expect(value(expression, payload)).toEqual([
    expect.stringContaining('can\'t calculate with "12 EUR", which is not a number'),
  ]);
});

test.each([
  ["payload | plus: 0", '" 12.50 "', "12.5"],
  ["payload | plus: 0", '"007.50"', "7.5"],
  ["payload | times: 100", '"+.5"', "50"],
  ["payload | minus: 1", '"-5."', "-6"],
  ["payload | plus: 0", '"1e3"', "1000"],
  ["payload | plus: 1", '"0x1bc16d674ec80001"', "2000000000000000002"],
  ["payload | json | plus: 1", "41", "42"],
  ["payload | plus: 1", "null", "1"],
  ["payload | strip | default: 0 | plus: 1", '" "', "1"],
  ['payload | remove: "," | times: 100', '"1,234.50"', "123450"],
  ["payload | sum: 'price'", '[{"price":"2.50"},{"price":null},{}]', "2.5"],
])("%s of %s counts as the number it is: %s", (expression, payload, expected) => {
  expect(value(expression, payload)).toBe(expected);
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
