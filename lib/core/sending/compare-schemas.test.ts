import { expect, it } from "vitest";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { describeChanges, listBreakingChanges } from "./compare-schemas.ts";

const object = (properties: Record<string, JsonValue>, required: string[] = []): JsonValue => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };

it.each<[string, JsonValue, JsonValue]>([
  ["the same, with other words", { ...text, title: "A" }, { ...text, description: "B" }],
  ["a new optional property", object({ a: text }), object({ a: text, b: text })],
  ["a property that is required now", object({ a: text }), object({ a: text }, ["a"])],
  ["an integer for a number", { type: "number" }, { type: "integer" }],
  ["fewer types", { type: ["string", "null"] }, text],
  ["fewer values", { enum: ["a", "b"] }, { const: "a" }],
  ["narrower limits", { maxLength: 9, minimum: 1 }, { maxLength: 8, minimum: 2 }],
  ["nothing was promised", null, object({ a: text })],
  ["anything was allowed", true, text],
  ["only words were promised", { title: "Anything" }, text],
  [
    "a definition of another name",
    { $defs: { a: text }, properties: { x: { $ref: "#/$defs/a" } } },
    { $defs: { b: text }, properties: { x: { $ref: "#/$defs/b" } } },
  ],
])("breaks no one: %s", (_, before, after) =>
  expect(listBreakingChanges(before, after)).toEqual([]),
);

it.each<[string, JsonValue, JsonValue, string]>([
  ["gone", object({ a: text }), object({}), "data.a was removed"],
  ["optional", object({ a: text }, ["a"]), object({ a: text }), "data.a may be missing"],
  [
    "type",
    object({ a: text }),
    object({ a: { type: "integer" } }),
    "data.a may be integer, and was string",
  ],
  ["nullable", text, { type: ["string", "null"] }, "data may be null, and was string"],
  ["number", { type: "integer" }, { type: "number" }, "data may be number, and was integer"],
  ["any type", text, { minLength: 1 }, "data may be of any type, and was string"],
  ["anything", text, null, "data may be anything now"],
  ["value", { enum: ["a"] }, { enum: ["a", "b"] }, 'data may be "b"'],
  ["values", { enum: ["a"] }, text, 'data may have other values than "a"'],
  ["limit", { maximum: 5 }, { maximum: 6 }, "data has no maximum of 5 any more"],
  ["no limit", { minLength: 1 }, text, "data has no minLength of 1 any more"],
  [
    "format",
    { format: "email" },
    { format: "uri" },
    "data has another format, which can't be compared",
  ],
  ["items", { items: text }, { items: { type: "null" } }, "data.0 may be null, and was string"],
  [
    "closed",
    { ...(object({ a: text }) as object), additionalProperties: false },
    { ...(object({ a: text, b: text }) as object), additionalProperties: false },
    "data.b is new, and the former schema allows no other properties",
  ],
  [
    "a definition that changed",
    { $defs: { a: text }, properties: { x: { $ref: "#/$defs/a" } } },
    { $defs: { a: { type: "null" } }, properties: { x: { $ref: "#/$defs/a" } } },
    "data.x may be null, and was string",
  ],
  ["never", false, text, "data was never sent before"],
])("breaks receivers: %s", (_, before, after, expected) =>
  expect(describeChanges(listBreakingChanges(before, after))).toBe(expected),
);

it("ends for schemas that refer to each other without end", () => {
  const tree = (type: string): JsonValue => ({
    $defs: {
      node: object({
        left: { $ref: "#/$defs/node" },
        right: { $ref: "#/$defs/node" },
        value: { type },
      }),
    },
    $ref: "#/$defs/node",
  });
  const changes = listBreakingChanges(tree("string"), tree("integer"));
  expect(changes[0]?.message).toMatch(/may be integer|too large/);
  expect(changes.length).toBeLessThanOrEqual(50);
});
