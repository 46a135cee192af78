import { Drop } from "liquidjs";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { TemplateFault } from "./render-budget.ts";

/** Output of the `json` filter: already JSON, and inserted into a JSON body as is. */
export class JsonFragment {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Maximum size of a value in text. */
export const maxOutputChars = 1024 * 1024;

/**
 * A value as text: nothing for null, the original digits, JSON for lists and objects (Liquid itself
 * would print `[object Object]`). Throws a `TemplateFault` for NaN and infinities.
 */
export function valueToText(value: unknown, maxChars: number = maxOutputChars): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberToText(value);
  if (value instanceof ExactNumber || value instanceof JsonFragment) return value.toString();
  if (value instanceof Drop) return valueToText(value.valueOf(), maxChars);
  return valueToJson(value, maxChars);
}

/**
 * The value as JSON text; a `JsonFragment` is used as is. Throws a `TemplateFault` if it isn't
 * JSON.
 */
export function valueToJson(value: unknown, maxChars: number = maxOutputChars): string {
  if (value instanceof JsonFragment) return value.toString();
  const json = stringifyExactJson(value instanceof Drop ? value.valueOf() : value, maxChars);
  if (!json.ok) throw new TemplateFault(json.message);
  return json.text;
}

function numberToText(value: number): string {
  if (!Number.isFinite(value))
    throw new TemplateFault(`the result is ${value}, which is not a number that can be sent`);
  return String(value);
}

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
