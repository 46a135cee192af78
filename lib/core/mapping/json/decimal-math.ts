import { ExactNumber, isJsonNumber, trimEndZeros } from "#lib/schema/field/json-value.ts";

/** The limit for exact arithmetic, which is too slow for more. Then the nearest double is used. */
const maxDigits = 400;

/**
 * Adds, subtracts, or multiplies exactly, so that `1.10 × 100` is 110 instead of
 * 110.00000000000001, and a large id keeps its digits. Numeric text counts as a number, null as 0.
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

type Rounding = "down" | "up" | "nearest";

/**
 * Rounds exactly to so many places after the point; fewer than 0 are tens and hundreds. `nearest` rounds
 * halves away from zero. Undefined: not a number, or too large for exact arithmetic.
 */
export function roundExactly(value: unknown, places: number, how: Rounding): Exact | undefined {
  const number = readScaled(value);
  if (number === undefined || !Number.isInteger(places) || Math.abs(places) > maxDigits)
    return undefined;
  const { units, scale } = number;
  if (places >= scale) return fromScaled(number);
  const step = 10n ** BigInt(scale - places);
  const rounded = divideUnits(units, step, how);
  return places >= 0
    ? fromScaled({ units: rounded, scale: places })
    : fromScaled({ units: rounded * 10n ** BigInt(-places), scale: 0 });
}

/** The number itself, with all its digits. Undefined: not a number, or too large. */
export function readExactly(value: unknown): Exact | undefined {
  const number = readScaled(value);
  return number === undefined ? undefined : fromScaled(number);
}

/** The number without its sign. Undefined: not a number, or too large. */
export function absExactly(value: unknown): Exact | undefined {
  const number = readScaled(value);
  if (number === undefined) return undefined;
  const { units, scale } = number;
  return fromScaled({ units: units < 0n ? -units : units, scale });
}

/**
 * The quotient, or rounded down to a whole number. Undefined: one of them is not a number, or too large; the
 * divisor is 0; or the quotient has more places than fit, such as 1 ÷ 3.
 */
export function divideExactly(left: unknown, right: unknown, isWhole: boolean): Exact | undefined {
  const a = readScaled(left);
  const b = readScaled(right);
  if (a === undefined || b === undefined || b.units === 0n) return undefined;
  const dividend = a.units * 10n ** BigInt(b.scale);
  const divisor = b.units * 10n ** BigInt(a.scale);
  if (isWhole) return fromScaled({ units: divideUnits(dividend, divisor, "down"), scale: 0 });
  const units = dividend * 10n ** BigInt(maxPlaces);
  return units % divisor === 0n
    ? fromScaled({ units: units / divisor, scale: maxPlaces })
    : undefined;
}

/** Enough for `1 ÷ 2^20`. */
const maxPlaces = 20;

/** The remainder, with the sign of the divisor. Undefined: as with `divideExactly`. */
export function remainExactly(left: unknown, right: unknown): Exact | undefined {
  const a = readScaled(left);
  const b = readScaled(right);
  if (a === undefined || b === undefined || b.units === 0n) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const dividend = a.units * 10n ** BigInt(scale - a.scale);
  const divisor = b.units * 10n ** BigInt(scale - b.scale);
  return fromScaled({ units: ((dividend % divisor) + divisor) % divisor, scale });
}

function divideUnits(dividend: bigint, divisor: bigint, how: Rounding): bigint {
  const [units, step] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor];
  if (how === "nearest") {
    const size = units < 0n ? -units : units;
    const rounded = (2n * size + step) / (2n * step);
    return units < 0n ? -rounded : rounded;
  }
  const cut = units / step;
  if (units % step === 0n) return cut;
  return how === "down" ? (units < 0n ? cut - 1n : cut) : units < 0n ? cut : cut + 1n;
}

type Exact = number | ExactNumber;

/** Undefined: not a number, nor text that is one. */
function readScaled(value: unknown): Scaled | undefined {
  if (typeof value === "number" || value instanceof ExactNumber) return toScaled(value);
  return typeof value === "string" && isJsonNumber(value.trim()) ? toScaled(value) : undefined;
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
