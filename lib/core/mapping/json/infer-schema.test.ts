import fc from "fast-check";
import { expect, it } from "vitest";
import { findSchemaProblem } from "#lib/core/sending/event-schema.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { inferSchema } from "./infer-schema.ts";
import { parseExactJson } from "./parse-exact-json.ts";

function inferOf(json: string): JsonValue {
  const parsed = parseExactJson(json);
  if (!parsed.ok) throw new Error(parsed.message);
  return inferSchema(parsed.value);
}

it("an example has a schema with its types, and requires what each of its objects has", () => {
  const example = `{
    "id": "0199e1c0-7d35-7c3a-9d2f-0a1b2c3d4e5f",
    "at": "2026-11-23T08:15:00.250Z",
    "total": 1.10,
    "count": 12345678901234567890123,
    "note": null,
    "tags": [],
    "lines": [{"sku": "a", "price": 5}, {"sku": "b", "price": 5.5, "gift": true}, {"sku": null, "price": 1}]
  }`;
  expect(inferOf(example)).toEqual({
    type: "object",
    properties: {
      id: { type: "string", format: "uuid" },
      at: { type: "string", format: "date-time" },
      total: { type: "number" },
      count: { type: "integer" },
      note: {},
      tags: { type: "array" },
      lines: {
        type: "array",
        items: {
          type: "object",
          properties: {
            sku: { type: ["string", "null"] },
            price: { type: "number" },
            gift: { type: "boolean" },
          },
          required: ["sku", "price"],
        },
      },
    },
    required: ["id", "at", "total", "count", "note", "tags", "lines"],
  });
});

it.for([
  '"2026-02-30T00:00:00Z"',
  '"2026-11-23"',
  '"2026-11-23 08:15:00Z"',
  '"ada@example.com"',
  '"0199e1c0"',
])("%s could be another text, so it gets no format", (json) => {
  expect(inferOf(json)).toEqual({ type: "string" });
});

it("every value matches its own schema", { tags: "variant" }, () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const example = value as JsonValue;
      expect(findSchemaProblem({ schema: inferSchema(example), example })).toBeNull();
    }),
    { numRuns: 15 },
  );
});
