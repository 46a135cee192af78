import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TemplateFault } from "#lib/core/template/render-budget.ts";
import { contextOf } from "#lib/core/template/testing/test-context.ts";
import { actionFilterSchema } from "#lib/schema/action/action-filter.ts";
import { evaluateFilter } from "./evaluate-filter.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const order = {
  type: "order.paid",
  data: {
    created: "2026-11-20T10:00:00+02:00",
    unix: 1_763_632_800,
    number: "order-1042",
    note: "soon",
    items: [
      { sku: "A-1", price: 10, lines: [{ id: 1 }, { id: 2 }] },
      { sku: "B-2", price: 2.5, lines: [] },
    ],
    tags: ["new", "vip"],
    none: [],
  },
};

function evaluate(filter: unknown, payload: unknown = order) {
  return evaluateFilter(actionFilterSchema.parse(filter), contextOf(JSON.stringify(payload)), {
    nowMs,
  });
}

const because = (filter: unknown) => {
  const verdict = evaluate(filter);
  return verdict.matches ? "it matches" : verdict.because;
};

const item = (op: string, path: string, ...all: object[]) => ({ path, op, where: { all } });
const price = (op: string, value: number) => ({ path: "item.price", op, value });

describe("the newer conditions", () => {
  test.each<[boolean, object]>([
    [true, { path: "data.created", op: "before", value: "2026-11-20T08:00:01Z" }],
    [false, { path: "data.created", op: "before", value: "2026-11-20T08:00:00Z" }],
    [true, { path: "data.created", op: "after", value: "2026-11-20" }],
    [true, { path: "data.created", op: "before", value: "2 days ago" }],
    [false, { path: "data.created", op: "before", value: "7 days ago" }],
    [true, { path: "data.created", op: "after", value: "7 days ago" }],
    [true, { path: "data.created", op: "before", value: "now" }],
    [true, { path: "data.unix", op: "before", value: 1_763_632_801_000 }],
    [true, { path: "data.unix", op: "after", value: "2025-11-20T09:59:59Z" }],
    [false, { path: "data.note", op: "before", value: "now" }],
    [false, { path: "data.note", op: "after", value: "now" }],
    [false, { path: "data.missing", op: "before", value: "now" }],
    [true, { path: "data.number", op: "matches", value: "^order-\\d+$" }],
    [false, { path: "data.number", op: "matches", value: "^\\d+$" }],
    [false, { path: "data.unix", op: "matches", value: "\\d" }],
    [true, item("anyItem", "data.items", price("gt", 5))],
    [false, item("anyItem", "data.items", price("gt", 50))],
    [false, item("allItems", "data.items", price("gt", 5))],
    [true, item("allItems", "data.items", price("gt", 1))],
    [true, item("noItem", "data.items", price("gt", 50))],
    [false, item("noItem", "data.items", price("gt", 5))],
    [false, item("anyItem", "data.none", price("gt", 0))],
    [true, item("allItems", "data.none", price("gt", 0))],
    [true, item("noItem", "data.none", price("gt", 0))],
    [false, item("anyItem", "data.missing", price("gt", 0))],
    [false, item("allItems", "data.missing", price("gt", 0))],
    [true, item("noItem", "data.missing", price("gt", 0))],
    [false, item("allItems", "data.note", { path: "item", op: "exists" })],
    [true, item("anyItem", "data.tags", { path: "item", op: "equals", value: "vip" })],
    [
      true,
      item(
        "anyItem",
        "data.items",
        item("anyItem", "item.lines", { path: "item.id", op: "equals", value: 2 }),
      ),
    ],
  ])("are %s: %j", (expected, condition) => {
    expect(evaluate({ all: [condition] }).matches).toBe(expected);
    expect(evaluate({ none: [condition] }).matches).toBe(!expected);
  });

  test.each<[string, object]>([
    [
      'data.created is "2026-11-20T10:00:00+02:00" and must be before 7 days ago (2026-11-15T12:00:00.000Z)',
      { all: [{ path: "data.created", op: "before", value: "7 days ago" }] },
    ],
    [
      'data.note is "soon", which isn\'t a date, and must be after "2026-11-20"',
      { all: [{ path: "data.note", op: "after", value: "2026-11-20" }] },
    ],
    [
      'data.number is "order-1042" and must match /^\\d+$/',
      { all: [{ path: "data.number", op: "matches", value: "^\\d+$" }] },
    ],
    [
      'type is "order.paid" and must not start with "order."',
      { none: [{ path: "type", op: "startsWith", value: "order." }] },
    ],
    [
      "data.missing is missing and must exist",
      { none: [{ path: "data.missing", op: "notExists" }] },
    ],
    [
      'type is "order.paid" and must equal "x"',
      { all: [{ none: [{ path: "type", op: "notEquals", value: "x" }] }] },
    ],
    [
      'type is "order.paid" and must not exist; data.note is "soon" and must not exist',
      {
        none: [
          {
            all: [
              { path: "type", op: "exists" },
              { path: "data.note", op: "exists" },
            ],
          },
        ],
      },
    ],
    [
      "no item of data.items matches: for example, data.items[0].price is 10 and must be greater than 50",
      { all: [item("anyItem", "data.items", price("gt", 50))] },
    ],
    [
      "data.items[1].price is 2.5 and must be greater than 5",
      { all: [item("allItems", "data.items", price("gt", 5))] },
    ],
    [
      "data.items[0].price is 10 and must not be greater than 5",
      { all: [item("noItem", "data.items", price("gt", 5))] },
    ],
    [
      "data.items[0].price is 10 and must not be greater than 5",
      { none: [item("anyItem", "data.items", price("gt", 5))] },
    ],
    [
      "every item of data.items matches: for example, data.items[0].price is 10 and must not be greater than 1",
      { none: [item("allItems", "data.items", price("gt", 1))] },
    ],
    [
      "data.none is empty and must have an item that matches",
      { all: [item("anyItem", "data.none", price("gt", 1))] },
    ],
    [
      "data.missing is missing and must be a list",
      { all: [item("anyItem", "data.missing", price("gt", 1))] },
    ],
    [
      "data.items[0].lines[0].id is 1 and must equal 2",
      {
        all: [
          item(
            "allItems",
            "data.items",
            item("allItems", "item.lines", { path: "item.id", op: "equals", value: 2 }),
          ),
        ],
      },
    ],
  ])("say why not: %s", (reason, filter) => {
    expect(because(filter)).toBe(reason);
  });

  test.each<[string, unknown]>([
    ["all.0.value: must be a date such as", { path: "type", op: "before", value: "soon" }],
    ["all.0.value: must be a date such as", { path: "type", op: "after", value: true }],
    ["all.0.value: can't look ahead", { path: "type", op: "matches", value: "(?!a)" }],
    [
      "all.0.value: isn't a valid regular expression: missing closing )",
      { path: "type", op: "matches", value: "(" },
    ],
    [
      "all.0.value: must have at most 500 characters",
      { path: "type", op: "matches", value: "a".repeat(501) },
    ],
    [
      "all.0.where.all.0.path: must be a name such as item.price",
      item("anyItem", "data.items", { path: "data.x", op: "exists" }),
    ],
    ["all.0.path: must be a name such as type", { path: "item.x", op: "exists" }],
    ["all.0.where.all: at least one condition", item("anyItem", "data.items")],
    ["all.0.where", { path: "data.items", op: "anyItem" }],
  ])("are refused on save: %s", (message, condition) => {
    const [issue] = actionFilterSchema.safeParse({ all: [condition] }).error?.issues ?? [];
    expect(`${issue?.path.join(".")}: ${issue?.message}`).toContain(message);
  });

  test("count as conditions and levels like groups", () => {
    const nest = (levels: number): object =>
      levels === 0 ? { path: "item", op: "exists" } : item("anyItem", "item", nest(levels - 1));
    const outer = (levels: number) => ({ all: [item("anyItem", "data.items", nest(levels))] });
    expect(actionFilterSchema.safeParse(outer(2)).success).toBe(true);
    expect(actionFilterSchema.safeParse(outer(3)).error?.issues[0]?.message).toMatch(
      /4 levels deep/,
    );
    const many = Array.from({ length: 26 }, () => item("anyItem", "data.items", price("gt", 1)));
    expect(actionFilterSchema.safeParse({ all: many }).error?.issues[0]?.message).toMatch(
      /at most 50 conditions/,
    );
  });

  test("over too many items, or too much text, end with a fault and not with an answer", () => {
    const items = Array.from({ length: 60_000 }, () => 1);
    const all = { all: [item("allItems", "data", { path: "item", op: "equals", value: 1 })] };
    expect(() => evaluate(all, { data: items })).toThrow(TemplateFault);
    const pattern = { all: [{ path: "data", op: "matches", value: "(a|b){100}c" }] };
    expect(() => evaluate(pattern, { data: "ab".repeat(100_000) })).toThrow(TemplateFault);
  });
});

test("filters follow the rules of logic, and say why exactly if they don't match", () => {
  const path = fc.constantFrom(
    "type",
    "data.created",
    "data.unix",
    "data.items",
    "data.missing",
    "data.tags",
  );
  const leaf = fc.oneof(
    fc.record({ path, op: fc.constantFrom("exists", "notExists") }),
    fc.record({
      path,
      op: fc.constantFrom("before", "after"),
      value: fc.constantFrom("now", "7 days ago", 1_763_632_800),
    }),
    fc.record({
      path,
      op: fc.constantFrom("equals", "notEquals", "contains"),
      value: fc.constantFrom("vip", "order.paid", 1),
    }),
    fc.record({ path, op: fc.constant("matches"), value: fc.constantFrom("^order", "\\d", "x") }),
    fc.record({
      path,
      op: fc.constantFrom("anyItem", "allItems", "noItem"),
      where: fc.record({
        all: fc.array(
          fc.record({
            path: fc.constantFrom("item", "item.price"),
            op: fc.constantFrom("gt", "lt"),
            value: fc.constantFrom(1, 5, "b"),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
    }),
  );
  const group = (part: fc.Arbitrary<unknown>) =>
    fc
      .tuple(fc.constantFrom("all", "any", "none"), fc.array(part, { minLength: 1, maxLength: 4 }))
      .map(([match, parts]) => ({ [match]: parts }));
  const part = fc.oneof(leaf, group(leaf));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const is = (filter: unknown) => evaluate(filter).matches;
      const each = parts.map((one) => is({ all: [one] }));
      expect(is({ all: parts })).toBe(each.every(Boolean));
      expect(is({ any: parts })).toBe(each.some(Boolean));
      expect(is({ none: parts })).toBe(!each.some(Boolean));
      for (const filter of [
        { all: parts },
        { any: parts },
        { none: parts },
        { none: [{ all: parts }] },
      ])
        if (!is(filter)) expect(because(filter)).toMatch(/(must|matches)/);
      const [first] = parts;
      expect(is({ none: [{ none: [first] }] })).toBe(each[0]);
    }),
    { numRuns: 300 },
  );
});

test("an operator on items is a filter on each of them", () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom("a", "b"),
    fc.constant(null),
  );
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 8 }),
      fc.integer({ min: 0, max: 9 }),
      (items, limit) => {
        const wanted = { path: "item", op: "gt", value: limit };
        const is = (op: string) =>
          evaluate({ all: [item(op, "data", wanted)] }, { data: items }).matches;
        const each = items.map((one) => typeof one === "number" && one > limit);
        expect(is("anyItem")).toBe(each.some(Boolean));
        expect(is("allItems")).toBe(each.every(Boolean));
        expect(is("noItem")).toBe(!each.some(Boolean));
      },
    ),
  );
});
