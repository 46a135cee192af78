import { expect, it, test } from "vitest";
import { listPatterns, matchesAny, proposeType } from "./event-type-patterns.ts";

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

it.for([
  [["order.*", "user.created"], ["invoice.paid", "order.shipped"], "order.shipped"],
  [["user.created"], ["invoice.paid"], "user.created"],
  [["*"], ["invoice.paid", "order.shipped"], "invoice.paid"],
  [["order.*"], [], "order.created"],
  [["*"], [], "invoice.paid"],
  [[], ["order.paid"], "order.paid"],
] as const)("subscribed to %j, with the types %j: %s", ([patterns, known, type]) => {
  expect(proposeType(patterns, known)).toBe(type);
});
