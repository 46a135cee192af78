/**
 * Filters that calculate with decimal digits, because liquidjs calculates with doubles: a 19-digit id or a
 * large amount would change silently. What can't be written exactly is left to liquidjs. What isn't a number
 * fails: liquidjs takes it as 0, and an amount such as "12 EUR" would be sent as 0.
 */

import { shorten } from "#lib/base/shorten.ts";
import {
  absExactly,
  divideExactly,
  readExactly,
  remainExactly,
  roundExactly,
} from "#lib/core/mapping/json/decimal-math.ts";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { TemplateFault } from "./render-budget.ts";
import { JsonFragment, valueToText } from "./value-to-text.ts";

/** Undefined: liquidjs decides. */
type NumberFilter = (value: unknown, ...args: readonly unknown[]) => unknown;

export const numberFilters: Readonly<Record<string, NumberFilter>> = {
  abs: (value) => absExactly(value),
  at_least: (value, other, ...more) => (more.length > 0 ? undefined : choose(value, other, 1)),
  at_most: (value, other, ...more) => (more.length > 0 ? undefined : choose(value, other, -1)),
  ceil: (value) => roundExactly(value, 0, "up"),
  divided_by: (value, divisor, isWhole) => divideExactly(value, divisor, Boolean(isWhole)),
  floor: (value) => roundExactly(value, 0, "down"),
  modulo: (value, divisor) => remainExactly(value, divisor),
  round: (value, places = 0) => roundExactly(value, Number(places), "nearest"),
  to_integer: (value) => readExactly(value),
};

/** @param sign 1: the larger one, -1: the smaller one */
function choose(value: unknown, other: unknown, sign: 1 | -1): unknown {
  const [one, two] = [readExactly(value), readExactly(other)];
  if (one === undefined || two === undefined) return undefined;
  return (compareNumbers(one, two) ?? 0) * sign >= 0 ? one : two;
}

/**
 * The input of a number filter: a number, or text that is one, such as " 007.50 ". Null and undefined stay,
 * and count as 0. Throws a `TemplateFault` for anything else.
 */
export function toNumber(filter: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === "number" || value instanceof ExactNumber) return value;
  const isText = typeof value === "string" || value instanceof JsonFragment;
  const text = isText ? String(value).trim() : "";
  const number = readDecimal(text) ?? readPrefixed(text);
  if (number !== undefined) return number;
  const shown = JSON.stringify(shorten(isText ? String(value) : valueToText(value), maxShown));
  const advice = !isText
    ? "choose a number in it"
    : text === ""
      ? "say what counts instead, such as with strip | default: 0"
      : "leave only its digits, such as with remove or split";
  throw new TemplateFault(
    `${filter} can't calculate with ${shown}, which is not a number: ${advice}`,
  );
}

/** Reads what JSON writes, and a plus sign, leading zeros, or a point at one end. */
function readDecimal(text: string): string | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = ""] = found;
  if (whole === "" && fraction === "") return undefined;
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return `${sign === "-" ? "-" : ""}${digits}${fraction && `.${fraction}`}${exponent}`;
}

/** The longest that Ethereum sends: 256 bits. */
const maxPrefixed = 66;

/** Such as `0x2a`. */
function readPrefixed(text: string): string | undefined {
  if (text.length > maxPrefixed || !/^0x[\da-f]+$/i.test(text)) return undefined;
  return BigInt(text).toString();
}

const maxShown = 40;
