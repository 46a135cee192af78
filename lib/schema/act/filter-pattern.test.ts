import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkPattern, hasPattern } from "./filter-pattern.ts";

describe("a pattern", () => {
  it.each([
    [true, "order-1234", "^order-\\d+$"],
    [false, "my order-1234", "^order-\\d+$"],
    [true, "my order-1234", "order-\\d+"],
    [true, "ORDER", "(?i)order"],
    [true, "jane@example.com", "@example\\.(com|org)$"],
    [true, "a\nb", "(?m)^b$"],
    [true, "größe", "^\\pL+$"],
    [true, "5d2f0e4c-0000-4000-8000-3c1ab2c3d4e5", "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"],
    [true, "", "^$"],
    [true, "a😀b", "^a.b$"],
    [false, "\ud800", "^a$"],
  ])("gives %s for %j and %s", (expected, text, pattern) => {
    expect(checkPattern(pattern)).toMatchObject({ ok: true });
    expect(hasPattern(text, pattern)).toBe(expected);
  });

  it.each([
    ["(?=a)", "can't look ahead or behind"],
    ["(?<!a)b", "can't look ahead or behind"],
    ["(a)\\1", "can't refer back to a group"],
    ["a(", "missing closing ) at a("],
    ["[a", "missing closing ] at [a"],
    ["*", "missing argument to repetition operator"],
    ["a{2000}", "invalid repeat count"],
    [".{1000}.{1000}", "is too large"],
    [`(${"a".repeat(400)}){1000}`, "is too large"],
    [`((${"a?".repeat(200)}){30}){30}`, "is too large"],
    ["(?i)\\", "trailing backslash"],
  ])("%s is refused: %s", (pattern, message) => {
    expect(checkPattern(pattern)).toEqual({ ok: false, message: expect.stringContaining(message) });
  });

  test("is checked in bounded time, also if it would be large", () => {
    const parts = [
      "(",
      ")",
      "a",
      ".",
      "[a-z]",
      "\\pL",
      "{1000}",
      "{30}",
      "*",
      "+",
      "?",
      "|",
      "\\",
      "[",
      "]",
    ];
    const before = process.threadCpuUsage();
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (tokens) => {
        const checked = checkPattern(tokens.join("").slice(0, 500));
        if (checked.ok) expect(checked.instructions).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 500 },
    );
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });

  test("finds what JavaScript's own engine finds", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "(a|b)", "(?:ab)");
    const repeated = fc.tuple(atom, fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}"));
    const pattern = fc
      .tuple(
        fc.constantFrom("", "^"),
        fc.array(repeated, { minLength: 1, maxLength: 5 }),
        fc.constantFrom("", "$"),
      )
      .map(([start, parts, end]) => start + parts.map((part) => part.join("")).join("") + end);
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", "\n"), maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (source, on) => {
        expect(hasPattern(on, source)).toBe(new RegExp(source, "u").test(on));
      }),
      { numRuns: 500 },
    );
  });

  test("that makes other engines backtrack takes linear time", () => {
    for (const pattern of ["^(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
      const before = process.threadCpuUsage();
      expect(hasPattern(`${"a".repeat(100_000)}!`, pattern)).toBe(false);
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
    }
  });
});
