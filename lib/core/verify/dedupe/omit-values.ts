import { findValue, skipValue } from "#lib/core/mapping/json/walk-json.ts";
import type { PathStep } from "#lib/schema/field/value-path.ts";

/**
 * JSON text without the values at these paths. The names and everything else stay as they
 * are. Of a name that is given twice, the last value is left out.
 *
 * @param text valid JSON that has been parsed before
 */
export function omitValues(text: string, paths: readonly (readonly PathStep[])[]): string {
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

function findSpan(
  text: string,
  steps: readonly PathStep[],
): { readonly from: number; readonly to: number } | null {
  const from = findValue(text, steps);
  return from === null ? null : { from, to: skipValue(text, from) };
}
