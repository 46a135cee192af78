import { ExactNumber, isJsonNumber, trimEndZeros } from "#lib/schema/field/json-value.ts";

/** The limit for exact arithmetic, which is too slow for more. Then the nearest double is used. */
const maxDigits = 400;

/**
 * Adds, subtracts, or multiplies exactly, so that `1.10 × 100` is 110 instead of
 * 110.00000000000001, and a large id keeps its digits. Numeric text counts as a number, any other
 * text as 0, as in Liquid.
 */
export function calculate(
  operation: "plus" | "minus" | "times",
  left: unknown,
  right: unknown,
): number | ExactNumber {
  const a = toScaled(left);
  const b = toScaled(right);
  if (a === undefined || b === undefined)
    return calculateInDoubles(operation, Number(left), Number(right));
  if (operation === "times")
    return fromScaled({ units: a.units * b.units, scale: a.scale + b.scale });
  const scale = Math.max(a.scale, b.scale);
  const leftUnits = a.units * 10n ** BigInt(scale - a.scale);
  const rightUnits = b.units * 10n ** BigInt(scale - b.scale);
  return fromScaled({
    units: operation === "plus" ? leftUnits + rightUnits : leftUnits - rightUnits,
    scale,
  });
}

/** value = units × 10^-scale, scale ≥ 0. Undefined: too large for exact arithmetic. */
type Scaled = { readonly units: bigint; readonly scale: number };

function toScaled(value: unknown): Scaled | undefined {
  const text = toNumberText(value);
  if (text.length > maxDigits) return undefined;
  const match = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = "0", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > maxDigits) return undefined;
  const units = BigInt(whole + fraction);
  return shift > 0 ? { units: units * 10n ** BigInt(shift), scale: 0 } : { units, scale: -shift };
}

function toNumberText(value: unknown): string {
  if (typeof value === "number" || value instanceof ExactNumber) return String(value);
  return typeof value === "string" && isJsonNumber(value.trim()) ? value.trim() : "0";
}

function fromScaled({ units, scale }: Scaled): number | ExactNumber {
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = trimEndZeros(digits.slice(digits.length - scale));
  const text = `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
  return String(Number(text)) === text ? Number(text) : new ExactNumber(text);
}

function calculateInDoubles(
  operation: "plus" | "minus" | "times",
  left: number,
  right: number,
): number {
  if (operation === "times") return left * right;
  return operation === "plus" ? left + right : left - right;
}
