/** Computes once, on the first call. */
export function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/**
 * Computes once in this process, on the first call, and keeps the value on `globalThis` by its name.
 * The web process needs that: Next bundles a module once per kind of route, and every copy would
 * compute a value of its own.
 */
export function oncePerProcess<Value extends object, Given extends readonly unknown[] = []>(
  name: `catchment${string}`,
  compute: (...given: Given) => Value,
): (...given: Given) => Value {
  const kept: Record<string, Value | undefined> = Object(globalThis);
  return (...given) => {
    kept[name] ??= compute(...given);
    return kept[name];
  };
}
