import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

/**
 * JSON inserted into a response unparsed: a delivery's payload keeps every digit of its numbers,
 * and an array of 7,000 levels, which no recursive writer survives, costs nothing. The text must be
 * valid JSON.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Serializes a response: shallow objects of plain values, times, exact numbers, and `RawJson`.
 * Undefined fields are left out.
 */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (value instanceof ExactNumber) return value.toString();
  if (value === null || typeof value !== "object" || value instanceof Date)
    return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(",")}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJsonText(field)}`).join(",")}}`;
}

/** A value that a user wrote (the body of an action): depth-checked, with exact numbers. */
export function exactJson(value: unknown): RawJson {
  const written = stringifyExactJson(value);
  if (!written.ok) throw new Error(`A stored value can't be written: ${written.message}`);
  return new RawJson(written.text);
}
