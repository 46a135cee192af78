import { expect, test } from "vitest";
import { filterGuides } from "./filter-guide.ts";
import { renderString } from "./render-template.ts";
import { createFilters } from "./template-filters.ts";
import { contextOf } from "./testing/test-context.ts";

test("the guide lists exactly the existing filters", () => {
  expect(filterGuides.map(({ name }) => name).toSorted()).toEqual(
    [...createFilters().keys()].toSorted(),
  );
});

test("each filter works as the guide shows it", () => {
  const context = contextOf(
    JSON.stringify({
      list: [{ name: "a", amount: 1, status: "paid" }],
      more: [2],
      text: "20261121",
    }),
  );
  for (const { usage } of filterGuides) {
    const source =
      /^(?:map|where|find|reject|sum|sort|uniq|compact|concat|push|unshift|pop|shift|join)/.test(
        usage,
      )
        ? `{{ payload.list | ${usage} }}`
        : `{{ payload.text | ${usage} }}`;
    expect([usage, renderString(source, { context, nowMs: 0 })]).toEqual([
      usage,
      expect.objectContaining({ ok: true }),
    ]);
  }
});
