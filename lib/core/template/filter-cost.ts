import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { JsonFragment } from "./value-to-text.ts";

/** The cost in budget units. A number can have as many digits as a text has characters. */
export function costOf(value: unknown): number {
  return value instanceof ExactNumber ? value.toString().length : sizeOf(value);
}

/** The number of characters, items, or properties. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (value instanceof JsonFragment) return value.toString().length;
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return 0;
  return Object.keys(value).length;
}
