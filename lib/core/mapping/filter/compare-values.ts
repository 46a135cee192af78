import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";

/**
 * Compares numbers by exact value (1.10 equals 1.1). Text equals a number or a boolean that it says: forms, queries,
 * and headers have only text. Two texts are the same only if they are written the same.
 */
export function isEqual(actual: unknown, wanted: unknown): boolean {
  if (isNumber(actual) && isNumber(wanted)) return compareNumbers(actual, wanted) === 0;
  return actual === wanted || saysValue(actual, wanted) || saysValue(wanted, actual);
}

function saysValue(text: unknown, value: unknown): boolean {
  if (typeof text !== "string") return false;
  if (typeof value === "boolean") return text.length < 6 && text.toLowerCase() === String(value);
  return isNumber(value) && compareNumbers(text, value) === 0;
}

/** True if a list contains the item, or a text the text. A number or boolean counts as its text. */
export function hasPart(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => isEqual(item, wanted));
  const [text, part] = [toText(actual), toText(wanted)];
  return text !== undefined && part !== undefined && text.includes(part);
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return isNumber(value) || typeof value === "boolean" ? String(value) : undefined;
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
