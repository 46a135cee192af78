/**
 * The patterns that match an event type: itself, each of its prefixes with `.*`, and `*`. A
 * subscription stores its patterns, so that matching is equality.
 */
export function listPatterns(type: string): readonly string[] {
  const patterns = [type];
  for (let dot = type.lastIndexOf("."); dot !== -1; dot = type.lastIndexOf(".", dot - 1))
    patterns.push(`${type.slice(0, dot)}.*`);
  patterns.push("*");
  return patterns;
}

/** True if one of the patterns matches the event type. */
export function matchesAny(patterns: readonly string[], type: string): boolean {
  return listPatterns(type).some((pattern) => patterns.includes(pattern));
}

/** A type that a subscription with these patterns gets, one of the known types if possible. */
export function proposeType(patterns: readonly string[], known: readonly string[]): string {
  const named = patterns.find((pattern) => !pattern.includes("*"));
  const proposed = known.find((type) => matchesAny(patterns, type)) ?? named;
  if (proposed !== undefined) return proposed;
  const prefix = patterns.find((pattern) => pattern !== "*");
  return prefix?.replace("*", "created") ?? known[0] ?? "invoice.paid";
}
