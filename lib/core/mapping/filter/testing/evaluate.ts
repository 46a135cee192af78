import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import { evaluateFilter } from "../evaluate-filter.ts";

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

export function evaluate(filter: unknown, payload: unknown = order) {
  return evaluateFilter(actionFilterSchema.parse(filter), contextOf(JSON.stringify(payload)), {
    nowMs,
  });
}

export const because = (filter: unknown) => {
  const verdict = evaluate(filter);
  return verdict.matches ? "it matches" : verdict.because;
};

export const item = (op: string, path: string, ...all: object[]) => ({ path, op, where: { all } });
export const price = (op: string, value: number) => ({ path: "item.price", op, value });
