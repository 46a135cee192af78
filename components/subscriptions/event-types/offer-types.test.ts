import { expect, it } from "vitest";
import { findUnknown, offerTypes, takeType } from "./offer-types.ts";

const known = ["invoice.paid", "invoice.payment.failed", "user.created", "ping"];

it("offers every type, and a prefix for those that start the same", () => {
  expect(offerTypes(known, [], "")).toEqual([
    "invoice.*",
    "invoice.paid",
    "invoice.payment.failed",
    "ping",
    "user.created",
  ]);
});

it("leaves out what is chosen, and puts what starts with the text first", () => {
  expect(offerTypes(known, ["invoice.*"], "p")).toEqual([
    "ping",
    "invoice.paid",
    "invoice.payment.failed",
  ]);
});

it.each([
  ["inv", "invoice.*"],
  ["user", "user.created"],
  ["paid", "invoice.paid"],
  ["invoice.paid", "invoice.paid"],
  ["invoice.payment.*", "invoice.payment.*"],
  ["order.shipped ", "order.shipped"],
])("Enter after “%s” takes %s", (text, type) => {
  expect(takeType(offerTypes(known, [], text), text)).toBe(type);
});

it("knows which chosen types no known type matches", () => {
  const chosen = ["invoice.*", "user.created", "*", "user", "order.*", "invoice.pai"];
  expect(findUnknown(known, chosen)).toEqual(["user", "order.*", "invoice.pai"]);
  expect(findUnknown([], chosen)).toEqual([]);
});
