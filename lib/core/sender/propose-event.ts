import { matchesAny } from "./event-type-patterns.ts";

/** A type that a subscription with these patterns gets, one of the known types if possible. */
export function proposeType(patterns: readonly string[], known: readonly string[]): string {
  const named = patterns.find((pattern) => !pattern.includes("*"));
  const proposed = known.find((type) => matchesAny(patterns, type)) ?? named;
  if (proposed !== undefined) return proposed;
  const prefix = patterns.find((pattern) => pattern !== "*");
  return prefix?.replace("*", "created") ?? known[0] ?? "invoice.paid";
}
