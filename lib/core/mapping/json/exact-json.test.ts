import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { calculate } from "./decimal-math.ts";
import { isDeeperThan } from "./is-deeper-than.ts";
import { parseExactJson } from "./parse-exact-json.ts";
import { stringifyExactJson } from "./stringify-exact-json.ts";

function parse(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

function roundTrip(text: string): string {
  const written = stringifyExactJson(parse(text));
  if (!written.ok) throw new Error(written.message);
  return written.text;
}

/** Any number of the JSON grammar, in any notation. */
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9][0-9]{0,25}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{1,20}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
  )
  .map((pieces) => pieces.join(""));

describe("exact JSON", () => {
  test.each([
    "12345678901234567890123",
    "1e400",
    "-0",
    "1.10",
    "0.0000001",
    "9007199254740993",
    "1E5",
    "-1.0e-7",
  ])("%s keeps its digits", (text) => {
    expect(parse(text)).toBeInstanceOf(ExactNumber);
    expect(roundTrip(`{"a":[${text}]}`)).toBe(`{"a":[${text}]}`);
  });

  test("a number that JavaScript prints the same stays a plain number", () => {
    for (const text of [
      "0",
      "4200",
      "-1.5",
      "0.1",
      "123456789012345",
      "0.000001",
      "9007199254740992",
    ])
      expect(parse(text)).toBe(Number(text));
  });

  test("every notation of a number survives parse and stringify", () => {
    fc.assert(
      fc.property(numberText, (text) => roundTrip(`[${text}]`) === `[${text}]`),
      { numRuns: 2000 },
    );
  });

  test("any JSON value survives, and equals the result of JSON.parse if no number is exact", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(JSON.parse(roundTrip(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("__proto__ is a normal key", () => {
    const value = parse('{"__proto__":{"polluted":true},"n":1.10,"constructor":1}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "n", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(roundTrip('{"__proto__":{"a":1.10}}')).toBe('{"__proto__":{"a":1.10}}');
  });

  test("the last value of a duplicate key wins", () => {
    expect(roundTrip('{"a":1.10,"b":0,"a":2.20}')).toBe('{"a":2.20,"b":0}');
  });

  test("100,000 levels are an error value, not a stack overflow", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseExactJson(deep)).toMatchObject({ ok: false, code: "too_deep" });
    expect(stringifyExactJson(JSON.parse(deep))).toMatchObject({ ok: false, code: "too_deep" });
  });

  test("brackets inside strings aren't depth", () => {
    expect(isDeeperThan(JSON.stringify(["[[[[[[", '\\"[[[[', "{{{\\"]), 2)).toBe(false);
    expect(isDeeperThan("[[[]]]", 2)).toBe(true);
    expect(isDeeperThan("[[],[],[[]]]", 3)).toBe(false);
  });

  test.each(["", "{", "[1,]", "NaN", "01", '"a', "\u0000"])("%j is an error value", (text) => {
    expect(parseExactJson(text)).toMatchObject({ ok: false, code: "invalid_json" });
  });

  test("one byte order mark is skipped", () => {
    expect(parse("\ufeff[1]")).toEqual([1]);
  });

  test("invalid JSON is an error value", () => {
    expect(stringifyExactJson({ a: Number.NaN })).toMatchObject({ ok: false, code: "not_json" });
    expect(stringifyExactJson([() => 1])).toMatchObject({ ok: false, code: "not_json" });
    expect(stringifyExactJson(["x".repeat(100)], 50)).toMatchObject({
      ok: false,
      code: "too_large",
    });
  });
});

describe("ExactNumber", () => {
  test("compares by exact value", () => {
    const big = new ExactNumber("12345678901234567890123");
    expect(big.equals(new ExactNumber("12345678901234567890124"))).toBe(false);
    expect(big.lt(new ExactNumber("12345678901234567890124"))).toBe(true);
    expect(new ExactNumber("1.10").equals(1.1)).toBe(true);
    expect(new ExactNumber("-0").equals(0)).toBe(true);
    expect(new ExactNumber("1e400").gt(Number.MAX_VALUE)).toBe(true);
    expect(new ExactNumber("1.10").equals("1.10")).toBe(false);
    expect(new ExactNumber("1.10").geq("text")).toBe(false);
  });

  test("agrees with JavaScript on numbers that it can represent", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        number,
        number,
        (a, b) => Math.sign(compareNumbers(a, b) ?? Number.NaN) === Number(a > b) - Number(a < b),
      ),
    );
  });

  test("adds, subtracts, and multiplies exactly", () => {
    expect(calculate("times", new ExactNumber("1.10"), 100)).toBe(110);
    expect(calculate("plus", 0.1, 0.2)).toBe(0.3);
    expect(String(calculate("plus", new ExactNumber("12345678901234567890123"), 1))).toBe(
      "12345678901234567890124",
    );
    expect(calculate("minus", "10.50", "0.5")).toBe(10);
    expect(calculate("plus", "abc", 1)).toBe(1);
    expect(calculate("times", new ExactNumber("1e400"), new ExactNumber("1e400"))).not.toBeNaN();
    expect(calculate("plus", new ExactNumber("1e999999999"), 1)).toBe(Number.POSITIVE_INFINITY);
  });

  test("keeps its digits in JSON.stringify", () => {
    expect(JSON.stringify({ a: new ExactNumber("1.10") })).toBe('{"a":1.10}');
  });
});
