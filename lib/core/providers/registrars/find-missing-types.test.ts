import { expect, it } from "vitest";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { findMissingTypes } from "./find-missing-types.ts";

const equals = (path: string, value: string): ActionFilter => ({
  all: [{ path, op: "equals", value }],
});

type Case = [
  provider: string,
  filter: ActionFilter | null,
  registered: readonly string[],
  missing: readonly string[],
];

it.each<Case>([
  ["stripe", equals("type", "invoice.paid"), ["charge.refunded"], ["invoice.paid"]],
  ["stripe", equals("payload.type", "invoice.paid"), ["invoice.paid"], []],
  ["stripe", equals("delivery.eventType", "invoice.paid"), ["*"], []],
  ["stripe", equals("data.object.type", "invoice.paid"), [], []],
  ["stripe", null, [], []],
  // Neither an exclusion nor one of several ways needs a type.
  ["stripe", { none: [{ path: "type", op: "equals", value: "invoice.paid" }] }, [], []],
  [
    "stripe",
    {
      any: [
        { path: "type", op: "equals", value: "invoice.paid" },
        { path: "data.object.paid", op: "equals", value: true },
      ],
    },
    [],
    [],
  ],
  [
    "stripe",
    {
      all: [
        { path: "type", op: "in", value: ["invoice.paid", "invoice.voided", "charge.refunded"] },
        { path: "data.object.paid", op: "equals", value: true },
        { path: "type", op: "in", value: ["invoice.voided", "charge.refunded"] },
      ],
    },
    ["charge.refunded"],
    ["invoice.voided"],
  ],
  ["github", equals('headers["x-github-event"]', "push"), ["pull_request"], ["push"]],
  // Both ways of writing a topic are the same.
  ["shopify", equals("headers.x-shopify-topic", "orders/create"), ["ORDERS_CREATE"], []],
  // Microsoft sends it without being asked.
  ["microsoft-graph", equals("delivery.eventType", "missed"), ["created"], []],
  ["unknown", equals("type", "invoice.paid"), [], []],
])("%s: %j with %j registered misses %j", (provider, filter, registered, missing) => {
  expect(findMissingTypes(provider, [filter], registered)).toEqual(missing);
});
