import { expect, test } from "vitest";
import { noFilter, toFilterDraft } from "#components/actions/draft/filter-draft.ts";
import { writeConditions } from "./write-conditions.ts";

test("a filter is written as its conditions", () => {
  expect(writeConditions(noFilter)).toEqual([]);
  const paid = { path: "type", op: "equals", value: "invoice.paid" } as const;
  expect(writeConditions(toFilterDraft({ all: [paid] }))).toEqual(["type equals invoice.paid"]);
  const id = { path: "data.id", op: "exists" } as const;
  expect(writeConditions(toFilterDraft({ any: [paid, id] }))).toEqual([
    "Any of:",
    "• type equals invoice.paid",
    "• data.id exists",
  ]);
  const items = { path: "items", op: "noItem", where: { all: [id] } } as const;
  expect(writeConditions(toFilterDraft({ all: [items] }))).toEqual([
    "items has no item where",
    "  data.id exists",
  ]);
});
