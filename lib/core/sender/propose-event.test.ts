import { expect, it } from "vitest";
import { proposeType } from "./propose-event.ts";

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
