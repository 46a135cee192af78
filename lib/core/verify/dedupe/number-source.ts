import { findValue } from "#lib/core/mapping/json/walk-json.ts";
import type { PathStep } from "#lib/schema/field/value-path.ts";

/**
 * The number at a path of JSON text, with its original digits; null if there is none.
 * `JSON.parse` rounds beyond 2^53, and a reviver with source access runs for every value and
 * recurses: a large or deep body would block the process or overflow its stack. This is one pass
 * without recursion.
 *
 * @param text valid JSON that has been parsed before
 */
export function findNumberSource(text: string, steps: readonly PathStep[]): string | null {
  const at = findValue(text, steps);
  if (at === null) return null;
  numberToken.lastIndex = at;
  return numberToken.exec(text)?.[0] ?? null;
}

const numberToken = /-?\d[\d.eE+-]*/y;
