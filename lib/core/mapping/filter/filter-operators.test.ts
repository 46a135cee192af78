import { describe, expect, test } from "vitest";
import { TemplateFault } from "#lib/core/mapping/template/render-budget.ts";
import { actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import { because, evaluate, item, price } from "./testing/evaluate.ts";

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

  test("with large regular expressions are refused together, not one by one", () => {
    const matching = (count: number) => ({
      any: Array.from({ length: count }, (_, index) => {
        return { path: "type", op: "matches", value: `(a|b){300}${index}` };
      }),
    });
    expect(actionFilterSchema.safeParse(matching(3)).success).toBe(true);
    expect(actionFilterSchema.safeParse(matching(20)).error?.issues[0]?.message).toMatch(
      /too large together/,
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
