import {
  ExactNumber,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "#lib/schema/field/json-value.ts";

export type ValueChange = {
  readonly path: readonly string[];
  /** Undefined: the field didn't exist. */
  readonly before: JsonValue | undefined;
  /** Undefined: the field was removed. */
  readonly after: JsonValue | undefined;
};

/**
 * Finds where two JSON values differ, as deep as both have the same shape. Items with a `key`, such
 * as steps, are compared by it and named by it in the path, wherever they are in their list.
 */
export function diffValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly string[] = [],
): readonly ValueChange[] {
  if (isJsonObject(before) && isJsonObject(after)) return diffObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) {
    const keyed = [toKeyed(before), toKeyed(after)] as const;
    if (keyed[0] !== null && keyed[1] !== null) return diffKeyed(keyed[0], keyed[1], path);
    if (before.length === after.length)
      return before.flatMap((each, at) => diffValues(each, after[at], [...path, `${at}`]));
  }
  return isSame(before, after) ? [] : [{ path, before, after }];
}

function diffObjects(before: JsonObject, after: JsonObject, path: readonly string[]) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    diffValues(readOwn(before, name), readOwn(after, name), [...path, name]),
  );
}

function diffKeyed(before: JsonObject, after: JsonObject, path: readonly string[]) {
  const changes = diffObjects(before, after, path);
  const order = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  const newOrder = Object.keys(after).filter((key) => Object.hasOwn(before, key));
  return order.join() === newOrder.join()
    ? changes
    : [{ path, before: Object.keys(before), after: Object.keys(after) }, ...changes];
}

/** The items by their key. Null if any item has no key. */
function toKeyed(items: JsonArray): JsonObject | null {
  const entries = items.map((item): [unknown, JsonValue] => [
    isJsonObject(item) ? readOwn(item, "key") : null,
    item,
  ]);
  const keys = entries.map(([key]) => key);
  const isKeyed = keys.every((key) => typeof key === "string" && key !== "");
  return isKeyed && new Set(keys).size === keys.length
    ? (Object.fromEntries(entries as [string, JsonValue][]) as JsonObject)
    : null;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one instanceof ExactNumber || other instanceof ExactNumber)
    return String(one) === String(other) && typeof one === typeof other;
  if (typeof one !== "object" || one === null) return one === other;
  // The lists have different lengths, or the values have different kinds.
  return false;
}

function readOwn(from: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}
