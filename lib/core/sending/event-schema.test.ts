import { expect, test } from "vitest";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { compileSchema, findSchemaProblem } from "./event-schema.ts";

const problemOf = (schema: JsonValue, example: JsonValue = null) =>
  findSchemaProblem({ schema, example })?.message ?? null;

test("a schema that can't be compiled says why", () => {
  expect(problemOf({ type: "object", required: ["a"] })).toBeNull();
  expect(problemOf({ type: "nonsense" })).toContain("type");
  expect(problemOf({ $ref: "https://example.com/other.json" })).toContain("example.com");
  expect(problemOf({ pattern: "(" })).toContain("(");
  expect(problemOf({ $schema: "http://json-schema.org/draft-07/schema#", items: [{}] })).toBeNull();
});

test("a schema that leads around in circles is found, and one that describes a tree isn't", () => {
  const endless = expect.stringContaining("refers to itself without end");
  expect(problemOf({ $ref: "#" })).toEqual(endless);
  expect(problemOf({ type: "array", allOf: [{ $ref: "#" }] })).toEqual(endless);
  const whenPaid = JSON.parse(
    '{"if": {"type": "object", "required": ["paid"]}, "then": {"$ref": "#"}}',
  );
  expect(problemOf(whenPaid)).toBeNull();
  expect(problemOf(whenPaid, { paid: true })).toEqual(endless);
  const tree = { type: "object", properties: { children: { items: { $ref: "#" } } } };
  expect(problemOf(tree, { children: [{ children: [] }] })).toBeNull();
});

test("patterns match in linear time, and those that RE2 doesn't know still match", () => {
  const matches = (schema: JsonValue, data: JsonValue) => compileSchema(schema)(data);
  const evil = `${"a".repeat(200_000)}!`;
  expect(matches({ pattern: "^(a+)+$" }, evil)).toBe(false);
  const named = { patternProperties: { "^(a+)+$": { type: "string" } } };
  expect(matches(named, { [evil]: 1, a: "" })).toBe(true);
  expect(matches(named, { a: 1 })).toBe(false);
  // Two patterns of one schema stay two.
  const both = { properties: { a: { pattern: "^x$" }, b: { pattern: "^y$" } } };
  expect([matches(both, { a: "x", b: "y" }), matches(both, { a: "y", b: "x" })]).toEqual([
    true,
    false,
  ]);
  expect(matches({ pattern: "^[\\u00e9\\/]+$" }, "é/")).toBe(true);
  const password = { pattern: "^(?=.*\\d)(?=.*[a-z]).{8,2000}$" };
  expect([matches(password, "correct 4 horses"), matches(password, "correct")]).toEqual([
    true,
    false,
  ]);
});

test("a schema with 1,600 properties is compiled and checks its data", () => {
  const names = Array.from({ length: 1_600 }, (_, index) => `property_${index}`);
  const schema = {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: "string", maxLength: 9 }])),
  };
  const example = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(problemOf(schema, example)).toBeNull();
  const validate = compileSchema(schema);
  expect(validate(example)).toBe(true);
  expect(validate({ ...example, property_1599: 1 })).toBe(false);
});

test("an example that contradicts its schema is found, with its path", () => {
  const schema = {
    type: "object",
    required: ["lines"],
    properties: { lines: { type: "array", items: { properties: { price: { type: "integer" } } } } },
  };
  const find = (example: JsonValue) => findSchemaProblem({ schema, example });
  expect(find({ lines: [{ price: 1 }] })).toBeNull();
  expect(find(null)).toBeNull();
  expect(find({ lines: [{ price: 1 }, { price: "2" }] })).toEqual({
    path: "example.lines.1.price",
    message: "doesn't match the schema: `lines.1.price` must be integer",
  });
  expect(find([])).toEqual({
    path: "example",
    message: "doesn't match the schema: it must be object",
  });
});
