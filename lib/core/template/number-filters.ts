/**
 * Filters that calculate with decimal digits, because liquidjs calculates with doubles: a 19-digit id or a
 * large amount would change silently. What isn't a number, or can't be written exactly, is left to liquidjs.
 */
import {
  absExactly,
  divideExactly,
  readExactly,
  remainExactly,
  roundExactly,
} from "#lib/core/json/decimal-math.ts";
import { compareNumbers } from "#lib/schema/field/json-value.ts";

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
