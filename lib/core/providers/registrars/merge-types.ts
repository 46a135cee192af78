const all = "*";

/**
 * The types that a webhook should have: those that it has and those that are wanted, without what we set earlier and is
 * wanted no more. What someone added at the provider stays.
 *
 * @param applied the types that we set last
 */
export function mergeTypes(
  found: readonly string[],
  applied: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  const removed = new Set(applied.filter((type) => !wanted.includes(type)));
  const merged = new Set([...found.filter((type) => !removed.has(type)), ...wanted]);
  return merged.has(all) ? [all] : [...merged];
}

export function isSameTypes(one: readonly string[], other: readonly string[]): boolean {
  const types = new Set(one);
  return types.size === new Set(other).size && other.every((type) => types.has(type));
}
