import { expect, test } from "vitest";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { type ConfiguredItem, compareItems } from "./compare.ts";

const item = (id: string, shown: JsonValue, secrets: JsonValue = null): ConfiguredItem => ({
  kind: "hook",
  id,
  what: `hook "${id}"`,
  shown,
  secrets,
});

test("a difference names each field with both values, and secrets only as changed", () => {
  const before = [
    item(
      "a",
      { name: "A", rate: 1, list: [1, 2], gone: true, same: { x: 1 } },
      { token: "s3cret-old" },
    ),
    item("b", {}),
    item("d", { name: "D" }),
  ];
  const after = [
    item("a", { name: "A2", rate: 1, list: [1, 3, 4], same: { x: 1 } }, { token: "s3cret-new" }),
    item("b", {}),
    item("c", {}),
  ];
  const { items, same } = compareItems(before, after);
  const shown = { isSecret: false };
  expect(items).toEqual([
    {
      op: "change",
      kind: "hook",
      what: 'hook "a"',
      changes: [
        { path: "name", from: '"A"', to: '"A2"', ...shown },
        { path: "list.1", from: "2", to: "3", ...shown },
        { path: "list.2", from: null, to: "4", ...shown },
        { path: "gone", from: "true", to: null, ...shown },
        { path: "token", from: null, to: null, isSecret: true },
      ],
    },
    { op: "add", kind: "hook", what: 'hook "c"', changes: [] },
    { op: "delete", kind: "hook", what: 'hook "d"', changes: [] },
  ]);
  expect([...same]).toEqual(["hook b"]);
  expect(JSON.stringify(items)).not.toContain("s3cret");
});

test("the evidence tells every state apart, also of secrets and of what is long", () => {
  const long = "x".repeat(5_000);
  const states: [JsonValue, JsonValue][] = [
    [{ a: 1 }, "one"],
    [{ a: 1 }, "two"],
    [{ a: 2 }, "one"],
    [{ a: `${long}1` }, "one"],
    [{ a: `${long}2` }, "one"],
    [{ a: [1] }, "one"],
  ];
  const seen = states.map(([shown, secrets]) =>
    JSON.stringify(compareItems([item("a", shown, secrets)], [item("a", { a: 0 }, "x")]).evidence),
  );
  expect(new Set(seen).size).toBe(states.length);
});
