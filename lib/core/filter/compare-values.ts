import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";

/** Compares texts and booleans by kind and value, and numbers by exact value (1.10 equals 1.1). */
export function isEqual(actual: unknown, wanted: unknown): boolean {
  return isNumber(actual) && isNumber(wanted)
    ? compareNumbers(actual, wanted) === 0
    : actual === wanted;
}

/** True if a list contains the item, or a text contains the text. */
export function hasPart(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => isEqual(item, wanted));
  return typeof actual === "string" && typeof wanted === "string" && actual.includes(wanted);
}

/**
 * Compares numbers, including numeric text ("10.00"). Other texts compare by code unit. Undefined:
 * no order.
 */
export function compareOrdered(actual: unknown, wanted: unknown): number | undefined {
  if (!isNumber(actual) && typeof actual !== "string") return undefined;
  const byNumber = compareNumbers(actual, wanted);
  if (byNumber !== undefined) return byNumber;
  if (typeof actual !== "string" || typeof wanted !== "string") return undefined;
  return actual < wanted ? -1 : Number(actual > wanted);
}

export function isOrdered(op: "gt" | "gte" | "lt" | "lte", order: number | undefined): boolean {
  if (order === undefined) return false;
  if (op === "gt") return order > 0;
  if (op === "gte") return order >= 0;
  return op === "lt" ? order < 0 : order <= 0;
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === "number" || value instanceof ExactNumber;
}
