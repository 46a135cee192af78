/** Returns the same shape with the median of every number in it. */
export function medianOf<T>(values: readonly T[]): T {
  const [first] = values;
  if (typeof first === "number") return median(values as readonly number[]) as T;
  if (typeof first !== "object" || first === null) return first as T;
  const entries = Object.keys(first).map((key) => [
    key,
    medianOf(values.map((value) => (value as Record<string, unknown>)[key])),
  ]);
  return Object.fromEntries(entries) as T;
}

export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
