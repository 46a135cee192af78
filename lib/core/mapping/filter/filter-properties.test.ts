import fc from "fast-check";
import { expect, test } from "vitest";
import { because, evaluate, item } from "./testing/evaluate.ts";

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
      path: fc.constantFrom("data.created", "data.unix", "data.missing"),
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
