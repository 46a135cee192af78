/** Imports nothing from the template engine, so that pages don't load it. */
import { ExactNumber, type JsonValue } from "#lib/schema/field/json-value.ts";

export type Scalar = string | number | boolean | ExactNumber | null;

export function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}

export function toText(value: Scalar): string {
  return value === null ? "" : String(value);
}

export function isNumeric(value: Scalar): value is number | ExactNumber {
  return typeof value === "number" || value instanceof ExactNumber;
}
