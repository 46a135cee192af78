import fc from "fast-check";
import { expect, test } from "vitest";
import { actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import {
  type ConditionDraft,
  noFilter,
  readFilterDraft,
  switchFilterMode,
  toFilterDraft,
} from "./filter-draft.ts";

function readRows(rows: Omit<ConditionDraft, "key">[], match: "all" | "any" = "all") {
  const read = readFilterDraft({
    ...noFilter,
    match,
    rows: rows.map((row, key) => ({ key, ...row })),
  });
  if (!read.ok) throw new Error(read.errors[0]?.message);
  return actionFilterSchema.nullable().parse(read.filter);
}

test("numbers, true, false, and null are parsed as such; quotes make them text", () => {
  const rows = ["4200", '"4200"', "true", "null", "paid", "-1.50", "007", ""].map((value) => ({
    path: "data.a",
    op: "equals" as const,
    value,
  }));
  const filter = readRows(rows);
  expect(
    filter !== null && "all" in filter && filter.all.map((c) => ("value" in c ? c.value : null)),
  ).toMatchObject([4200, "4200", true, null, "paid", {}, "007", ""]);
});

test("a list is split at commas outside of quotes; empty rows don't count", () => {
  expect(readRows([{ path: "type", op: "in", value: 'a, "b, c" ,3' }])).toEqual({
    all: [{ path: "type", op: "in", value: ["a", "b, c", 3] }],
  });
  expect(readRows([{ path: " ", op: "equals", value: "" }])).toBeNull();
  expect(readRows([{ path: "id", op: "exists", value: "left over" }], "any")).toEqual({
    any: [{ path: "id", op: "exists" }],
  });
  expect(readRows([{ path: "id", op: "startsWith", value: "42" }])).toEqual({
    all: [{ path: "id", op: "startsWith", value: "42" }],
  });
});

test("every saved filter becomes rows with the same meaning", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("1", "true", "a, b", '"', " x "),
  );
  const condition = fc.oneof(
    fc.record({ path: fc.constant("data.a"), op: fc.constant("equals" as const), value: scalar }),
    fc.record({
      path: fc.constant("id"),
      op: fc.constant("in" as const),
      value: fc.array(scalar, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      path: fc.constant("data.at"),
      op: fc.constantFrom("before" as const, "after" as const),
      value: fc.constantFrom("7 days ago", "2026-11-21", "1700000000", 1_700_000_000),
    }),
    fc.record({
      path: fc.constant("id"),
      op: fc.constant("matches" as const),
      value: fc.constantFrom("^a+$", '"quoted"', " spaces ", "\\d{2}", "42"),
    }),
    fc.record({
      path: fc.constant("data.items"),
      op: fc.constantFrom("anyItem" as const, "allItems" as const, "noItem" as const),
      where: fc.record({
        none: fc.tuple(
          fc.record({
            path: fc.constant("item.a"),
            op: fc.constant("equals" as const),
            value: scalar,
          }),
        ),
      }),
    }),
  );
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), (all) => {
      const read = readFilterDraft(toFilterDraft({ all }));
      expect(read.ok && read.filter).toEqual({ all });
      const asJson = switchFilterMode(toFilterDraft({ all }));
      const back = asJson.ok ? switchFilterMode(asJson.draft) : asJson;
      expect(back.ok && readFilterDraft(back.draft)).toEqual(read);
    }),
  );
});

test("conditions on items become rows of their own; without any, the error is theirs", () => {
  const filter = {
    none: [
      {
        path: "data.items",
        op: "anyItem" as const,
        where: { any: [{ path: "item.price", op: "gt" as const, value: 5 }] },
      },
    ],
  };
  expect(toFilterDraft(filter)).toMatchObject({
    mode: "rows",
    match: "none",
    rows: [{ path: "data.items", where: { match: "any", rows: [{ path: "item.price" }] } }],
  });
  expect(
    toFilterDraft({ all: [{ path: "data.a", op: "noItem", where: { all: [filter] } }] }),
  ).toMatchObject({ mode: "json" });
  const read = readFilterDraft({
    ...noFilter,
    rows: [{ key: 0, path: "data.items", op: "allItems", value: "" }],
  });
  expect(read.ok && actionFilterSchema.safeParse(read.filter).error?.issues[0]?.path).toEqual([
    "all",
    0,
    "where",
    "all",
  ]);
});

test("JSON that rows can't show stays JSON", () => {
  const json = (text: string) => switchFilterMode({ ...noFilter, mode: "json", json: text });
  expect(json('{"all": [{"any": []}]}')).toMatchObject({ ok: false });
  expect(json("{")).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^line 1, column 2/),
  });
  expect(json(" ")).toEqual({ ok: true, draft: noFilter });
});

test("a saved filter with groups becomes JSON with the same meaning", () => {
  const filter = {
    any: [
      { path: "id", op: "exists" as const },
      { all: [{ path: "type", op: "equals" as const, value: "a" }] },
    ],
  };
  const draft = toFilterDraft(filter);
  expect(draft.mode).toBe("json");
  const read = readFilterDraft(draft);
  expect(read.ok && actionFilterSchema.parse(read.filter)).toEqual(filter);
});
