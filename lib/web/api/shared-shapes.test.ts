import { expect, it } from "vitest";
import { shareBases, wholeShape } from "./shared-shapes.ts";

const text = { type: "string" };
const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const shape = (...names: readonly string[]) => ({
  type: "object",
  properties: named(names),
  required: names,
});
const shapes = {
  Hook: shape("id", "name", "url", "status"),
  ChangedHook: shape("id", "name", "url", "status", "warnings"),
  WholeHook: shape("id", "name", "url", "status", "warnings", "secret"),
  Other: shape("id", "name", "url"),
  Loose: { ...shape("id", "name", "url", "status", "more"), required: ["id"] },
};

it("a shape with every field of another one extends the largest such", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(shareBases(shapes)).toEqual({
    ...shapes,
    ChangedHook: { allOf: [ref("Hook"), shape("warnings")] },
    WholeHook: { allOf: [ref("ChangedHook"), shape("secret")] },
  });
});

it("a shape that extends others can be read with all of its fields", () => {
  const shared = shareBases(shapes);
  const names = Object.keys(shapes) as (keyof typeof shapes)[];
  const whole = names.map((name) => [name, wholeShape(shared[name] ?? {}, shared)]);
  expect(Object.fromEntries(whole)).toEqual(shapes);
});
