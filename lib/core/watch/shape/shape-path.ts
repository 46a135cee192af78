/**
 * The path of a field in all deliveries of a type: `data.items[].price`. Items of a list share their
 * paths. Other names than words are quoted: `headers["x y"]`.
 * Learned shapes are stored with these paths, so their form doesn't change.
 */
export function joinPath(parent: string, key: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

export function itemPath(list: string): string {
  return `${list}[]`;
}

/** True if a value at `path` is gone when the one at `changed` is: it is the same, or inside. */
export function isWithin(path: string, changed: string): boolean {
  if (!path.startsWith(changed)) return false;
  const next = path.charAt(changed.length);
  return next === "" || next === "." || next === "[";
}
