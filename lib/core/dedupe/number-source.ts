import { findMember, skipSpace } from "#lib/core/json/walk-json.ts";

/**
 * The number at a dotted path of JSON text, with its original digits; null if there is none.
 * `JSON.parse` rounds beyond 2^53, and a reviver with source access runs for every value and
 * recurses: a large or deep body would block the process or overflow its stack. This is one pass
 * without recursion.
 *
 * @param text valid JSON that has been parsed before
 */
export function findNumberSource(text: string, path: string): string | null {
  let at: number | null = skipSpace(text, 0);
  for (const key of path.split(".")) {
    at = findMember(text, at, key);
    if (at === null) return null;
  }
  numberToken.lastIndex = at;
  return numberToken.exec(text)?.[0] ?? null;
}

const numberToken = /-?\d[\d.eE+-]*/y;
