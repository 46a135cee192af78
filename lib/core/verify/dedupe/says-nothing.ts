import { redactionMark } from "#lib/core/people/redact/redact-text.ts";

/**
 * True for a text that stands where an id would be and says that there is none: blank, zero, the nil
 * UUID, what languages print for a missing value, or a credential that is hidden. Many events would
 * share it, and all but the first would be lost. `-1`, `unknown`, and `test` may be ids.
 */
export function saysNothing(text: string): boolean {
  // Most ids are longer, and are looked at no further.
  if (text.length > maxLength) return blank.test(text);
  return nothing.has(text.replace(around, "").toLowerCase()) || zero.test(text);
}

const maxLength = 64;
const blank = /^[\s\p{Cf}\p{Z}]*$/u;
/** Spaces, characters that show nothing, and quotes: `"null"` that was quoted twice says the same. */
const around = /^[\s\p{Cf}\p{Z}"'`]+|[\s\p{Cf}\p{Z}"'`]+$/gu;
/** 0, 0.0, -0, 0e9, 000, and 00000000-0000-0000-0000-000000000000. */
const zero = /^\s*[-+]?0[0.,-]*(?:e[-+]?\d+)?\s*$/i;
const nothing = new Set([
  "",
  "null",
  "(null)",
  "<null>",
  "nil",
  "<nil>",
  "none",
  "undefined",
  "nan",
  "n/a",
  "true",
  "false",
  "[object object]",
  "{}",
  "[]",
  redactionMark,
]);
