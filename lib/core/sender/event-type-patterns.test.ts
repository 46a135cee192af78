import { expect, it, test } from "vitest";
import { eventTypePattern } from "#lib/schema/sender/event.ts";
import { listPatterns, matchesAny } from "./event-type-patterns.ts";

it("a type asks for itself, each prefix, and everything", () => {
  expect(listPatterns("invoice.payment.failed")).toEqual([
    "invoice.payment.failed",
    "invoice.payment.*",
    "invoice.*",
    "*",
  ]);
  expect(listPatterns("ping")).toEqual(["ping", "*"]);
});

test.each([
  ["invoice.*", "invoice.paid", true],
  ["invoice.*", "invoice.payment.failed", true],
  ["invoice.*", "invoice", false],
  ["invoice.*", "invoices.paid", false],
  ["invoice.paid", "invoice.paid.late", false],
  ["*", "anything", true],
])("%s and %s: %s", (pattern, type, expected) => {
  expect(matchesAny([pattern], type)).toBe(expected);
});

it("patterns are types, prefixes, and the asterisk", () => {
  const isPattern = (text: string) => eventTypePattern.safeParse(text).success;
  expect(["*", "a", "a.b", "a.*", "a-b_c.1.*"].filter((text) => !isPattern(text))).toEqual([]);
  const wrong = ["", "**", "*.a", "a*", "a.*.b", "A", "a.", ".a", "a..b", "a.**"];
  expect(wrong.filter(isPattern)).toEqual([]);
});
