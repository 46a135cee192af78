/**
 * The value at a dotted path (`data.object.id`, `items.0.id`) of parsed JSON: own properties only.
 */
export function readPath(value: unknown, path: string): unknown {
  // Nearly every path is one name.
  if (!path.includes(".")) return readKey(value, path);
  let current = value;
  for (const key of path.split(".")) {
    current = readKey(current, key);
    if (current === undefined) return undefined;
  }
  return current;
}

function readKey(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
