import { expect, it, test } from "vitest";
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
