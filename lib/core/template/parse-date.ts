import { readUnix } from "#lib/schema/action/filter-date.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

/**
 * Parses the input of the `date` filters into Unix milliseconds: Unix seconds or milliseconds (a number or
 * digits), a date as text, `now`, and `today`. Text without a time zone is UTC, so that a template produces
 * the same date on every machine. Undefined: not a date.
 */
export function parseDateMs(value: unknown, nowMs: number): number | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) return readUnix(Number(value));
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text.length > maxChars) return undefined;
  if (text === "now" || text === "today") return nowMs;
  if (/^-?\d+(\.\d+)?$/.test(text)) return readUnix(Number(text));
  return check(Date.parse(withZone(text)));
}

/** No date is longer. Matching takes time with the square of the length. */
const maxChars = 200;

function withZone(text: string): string {
  // An offset follows a time: `11-21-2026` has none.
  if (/(?:[zZ]|\d:\d{2}[^+-]*[+-]\d{2}:?\d{2}|\b(?:GMT|UTC|[ECMP][SD]T))$/.test(text)) return text;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  return /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? `${text.replace(" ", "T")}Z` : `${text} UTC`;
}

function check(ms: number): number | undefined {
  return Math.abs(ms) <= 8.64e15 ? Math.round(ms) : undefined;
}
