import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { itemPath, joinPath } from "./shape-path.ts";

export type FieldType = "text" | "number" | "boolean" | "object" | "list" | "null";

/** An object of a payload, with the types of its fields. */
export type SeenObject = {
  readonly path: string;
  readonly fields: ReadonlyMap<string, FieldType>;
};

/** Deeper, longer, or larger parts of a payload aren't looked at. */
const limits = { depth: 12, items: 20, objects: 500, fields: 200, keyChars: 200 } as const;

/** The objects of a payload, the outer ones first. */
export function readObjects(payload: unknown): readonly SeenObject[] {
  const objects: SeenObject[] = [];
  let waiting = [{ value: payload, path: "" }];
  for (let depth = 0; depth < limits.depth && waiting.length > 0; depth += 1) {
    const inner: typeof waiting = [];
    for (const { value, path } of waiting) {
      if (Array.isArray(value)) {
        for (const item of value.slice(0, limits.items))
          inner.push({ value: item, path: itemPath(path) });
        continue;
      }
      if (toType(value) !== "object" || objects.length >= limits.objects) continue;
      const entries = Object.entries(value as object)
        .filter(([key]) => key.length <= limits.keyChars)
        .slice(0, limits.fields);
      objects.push({ path, fields: new Map(entries.map(([key, each]) => [key, toType(each)])) });
      for (const [key, each] of entries) inner.push({ value: each, path: joinPath(path, key) });
    }
    waiting = inner;
  }
  return objects;
}

function toType(value: unknown): FieldType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (value instanceof ExactNumber || typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "object";
}
