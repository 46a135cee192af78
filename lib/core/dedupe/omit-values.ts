import { findMember, skipSpace, skipValue } from "#lib/core/json/walk-json.ts";

/**
 * JSON text without the values at these dotted paths. The names and everything else stay as they
 * are. Of a name that is given twice, the last value is left out.
 *
 * @param text valid JSON that has been parsed before
 */
export function omitValues(text: string, paths: readonly string[]): string {
  const spans = paths
    .flatMap((path) => findSpan(text, path) ?? [])
    .toSorted((one, other) => one.from - other.from);
  let rest = "";
  let at = 0;
  for (const { from, to } of spans) {
    // One path may lead into another's value.
    rest += text.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return rest + text.slice(at);
}

function findSpan(text: string, path: string): { from: number; to: number } | null {
  let from: number | null = skipSpace(text, 0);
  for (const key of path.split(".")) {
    from = findMember(text, from, key);
    if (from === null) return null;
  }
  return { from, to: skipValue(text, from) };
}
