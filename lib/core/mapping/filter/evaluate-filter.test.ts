import { describe, expect, test } from "vitest";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { checkout, contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import {
  type ActionFilter,
  actionFilterSchema,
  type FilterCondition,
} from "#lib/schema/act/action-filter.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { evaluateFilter } from "./evaluate-filter.ts";

const context = contextOf(checkout, { "x-shop": ["eu"] });
const nowMs = Date.UTC(2026, 10, 22, 12);
const evaluate = (filter: ActionFilter | null, on: MappingContext = context) =>
  evaluateFilter(filter, on, { nowMs });

function holds(condition: unknown): boolean {
  const filter = actionFilterSchema.parse({ all: [condition] });
  return evaluate(filter).matches;
}

const amount = "data.object.amount_total";

describe("a condition", () => {
  test.each<[boolean, object]>([
    [true, { path: "type", op: "equals", value: "checkout.completed" }],
    [false, { path: "type", op: "equals", value: "checkout" }],
    [true, { path: "type", op: "in", value: ["a", "checkout.completed"] }],
    [true, { path: "type", op: "startsWith", value: "checkout." }],
    [true, { path: "type", op: "endsWith", value: ".completed" }],
    [true, { path: amount, op: "gt", value: 4199 }],
    [false, { path: amount, op: "gt", value: 4200 }],
    [true, { path: amount, op: "gte", value: 4200 }],
    [true, { path: amount, op: "lte", value: 4200 }],
    [false, { path: amount, op: "lt", value: 4200 }],
    [true, { path: amount, op: "equals", value: "4200" }],
    [true, { path: "data.object.price", op: "equals", value: 1.1 }],
    [
      false,
      { path: "data.object.big", op: "equals", value: new ExactNumber("12345678901234567890124") },
    ],
    [
      true,
      { path: "data.object.big", op: "equals", value: new ExactNumber("12345678901234567890123") },
    ],
    [true, { path: "data.object.huge", op: "gt", value: 1e300 }],
    [true, { path: "query.a", op: "gte", value: 1 }],
    [true, { path: "delivery.receivedAt", op: "lt", value: "2027" }],
    [true, { path: "delivery.isSample", op: "equals", value: false }],
    [true, { path: "data.object.tags", op: "contains", value: "vip" }],
    [false, { path: "data.object.tags", op: "contains", value: "vi" }],
    [true, { path: "data.object.customer_email", op: "contains", value: "@example" }],
    [true, { path: "data.object.note", op: "exists" }],
    [true, { path: "data.object.note", op: "equals", value: null }],
    [true, { path: "data.object.nope", op: "notExists" }],
    [true, { path: "data.object.nope", op: "notEquals", value: 1 }],
    [false, { path: "data.object.nope", op: "equals", value: null }],
    [false, { path: "data.object.nope", op: "lt", value: 1 }],
    [true, { path: 'headers["x-shop"]', op: "equals", value: "eu" }],
    [true, { path: "headers.x-topic", op: "equals", value: "a, b" }],
    [true, { path: "data.object.items[1].sku", op: "equals", value: "B 2" }],
    [false, { path: "payload.__proto__", op: "exists" }],
    [false, { path: "payload.constructor", op: "exists" }],
  ])("is %s: %j", (expected, condition) => {
    expect(holds(condition)).toBe(expected);
  });
});

describe("a filter", () => {
  const yes: FilterCondition = { path: "type", op: "exists" };
  const no: FilterCondition = { path: amount, op: "gt", value: 5000 };

  test("runs the action without conditions, with all, or with any of them", () => {
    expect(evaluate(null)).toEqual({ matches: true });
    expect(evaluate({ any: [no, yes] })).toEqual({ matches: true });
    expect(evaluate({ all: [yes, yes] })).toEqual({ matches: true });
  });

  test("says why not in a sentence", () => {
    expect(evaluate({ all: [yes, no] })).toEqual({
      matches: false,
      because: "data.object.amount_total is 4200 and must be greater than 5000",
    });
    expect(evaluate({ any: [no, { path: "data.x", op: "in", value: ["a", 1] }] })).toEqual({
      matches: false,
      because:
        'data.object.amount_total is 4200 and must be greater than 5000; data.x is missing and must be one of ["a", 1]',
    });
  });

  test("a large value is not repeated in the reason", () => {
    const large = contextOf(JSON.stringify({ data: "x".repeat(1_000_000) }));
    const verdict = evaluate({ all: [{ path: "data", op: "equals", value: "y" }] }, large);
    expect(JSON.stringify(verdict).length).toBeLessThan(250);
  });

  test.each([
    {},
    { all: [] },
    { all: [yes], any: [yes] },
    { none: [] },
    { none: [yes], any: [yes] },
    { all: [{ path: "x", op: "exists" }] },
    { all: [{ path: "type", op: "matches", value: "^(?=a)" }] },
    { all: [{ path: "type..x", op: "exists" }] },
    { all: [{ path: "type", op: "gt", value: true }] },
  ])("%j is rejected on save", (filter) => {
    expect(actionFilterSchema.safeParse(filter).success).toBe(false);
  });
});

describe("a group inside a filter", () => {
  const isGold = { path: "data.object.tags", op: "contains", value: "gold" };
  const isVip = { path: "data.object.tags", op: "contains", value: "vip" };
  const isLarge = { path: amount, op: "gt", value: 4000 };
  const verdict = (filter: unknown) => evaluate(actionFilterSchema.parse(filter));

  test("combines its own parts, at any depth", () => {
    expect(verdict({ all: [isLarge, { any: [isGold, isVip] }] })).toEqual({ matches: true });
    expect(verdict({ any: [isGold, { all: [isVip, { any: [isLarge] }] }] })).toEqual({
      matches: true,
    });
    expect(verdict({ all: [isVip, { all: [isLarge, isGold] }] })).toEqual({
      matches: false,
      because: 'data.object.tags is ["new", "vip"] and must contain "gold"',
    });
  });

  test("errors inside one have their path; depth and number are limited", () => {
    const issueOf = (filter: unknown) => {
      const [issue] = actionFilterSchema.safeParse(filter).error?.issues ?? [];
      return `${issue?.path.join(".")}: ${issue?.message}`;
    };
    expect(issueOf({ all: [isVip, { any: [{ path: "nope", op: "exists" }] }] })).toMatch(
      /^all\.1\.any\.0\.path: must be a name/,
    );
    expect(issueOf({ all: [{ all: [], any: [] }] })).toMatch(/^all\.0/);
    const nest = (levels: number): unknown => (levels === 0 ? isVip : { all: [nest(levels - 1)] });
    expect(actionFilterSchema.safeParse(nest(4)).success).toBe(true);
    expect(issueOf(nest(5))).toMatch(/4 levels deep/);
    const many = { all: Array.from({ length: 26 }, () => isVip) };
    expect(issueOf({ any: [many, many] })).toMatch(/at most 50 conditions/);
  });
});
