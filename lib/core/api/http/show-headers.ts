type HeaderPair = readonly [name: string, value: string];

/**
 * Headers by lowercase name, with repeats joined as in RFC 9110 §5.3, and as received, in order.
 */
export function showHeaders(pairs: readonly HeaderPair[]): {
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly HeaderPair[];
} {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const known = joined.get(key);
    joined.set(key, known === undefined ? value : `${known}, ${value}`);
  }
  return { headers: Object.fromEntries(joined), rawHeaders: pairs };
}
