/**
 * The filters that read fields of items, or choose one. A name that no item has fails, because it is a mistake: `sum`
 * would be 0, and `map` and `where` would be empty.
 */

import { shorten } from "#lib/base/shorten.ts";
import { calculate } from "#lib/core/mapping/json/decimal-math.ts";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import { type MappingScope, MissingItem, readOwn } from "./mapping-scope.ts";
import { toNumber } from "./number-filters.ts";
import { TemplateFault } from "./render-budget.ts";
import { costOf, valueToJson, valueToText } from "./value-to-text.ts";

type ListFilter = (scope: MappingScope, value: unknown, ...args: readonly unknown[]) => unknown;

export const listFilters: Readonly<Record<string, ListFilter>> = {
  first: (_scope, value) => readEnd("first", value, (list) => list[0], firstCharacter),
  last: (_scope, value) => readEnd("last", value, (list) => list.at(-1), lastCharacter),
  join: (scope, value, separator = " ") => joinList(scope, toList(value), valueToText(separator)),
  map: (scope, value, path) => overItems(scope, value, path, (items) => items.map(({ of }) => of)),
  sum: (scope, value, path) => overItems(scope, value, path, (items) => sumItems(scope, items)),
  sort: (scope, value, path) =>
    overItems(scope, value, path, (items) => sortItems(scope, items, (of) => of)),
  sort_natural: (scope, value, path) =>
    overItems(scope, value, path, (items) =>
      sortItems(scope, items, (of) => valueToText(of).toLowerCase()),
    ),
  uniq: (scope, value, path) =>
    overItems(scope, value, path, (items) => takeDistinct(scope, items)),
  compact: (scope, value, path) =>
    overItems(scope, value, path, (items) =>
      items.filter(({ of }) => of !== null && of !== undefined).map(({ item }) => item),
    ),
  where: (scope, value, path, ...wanted) =>
    overItems(scope, value, path, (items) =>
      items.filter(createTest(scope, wanted)).map(({ item }) => item),
    ),
  reject: (scope, value, path, ...wanted) => {
    const isWanted = createTest(scope, wanted);
    return overItems(scope, value, path, (items) =>
      items.filter((item) => !isWanted(item)).map(({ item }) => item),
    );
  },
  find: (scope, value, path, ...wanted) =>
    overItems(scope, value, path, (items) => {
      const found = items.find(createTest(scope, wanted));
      return found === undefined ? noItem(path, wanted) : found.item;
    }),
};

/** An item with the value of the field that a filter reads. Without a name, the value is the item itself. */
type Item = { readonly item: unknown; readonly of: unknown };

function overItems(
  scope: MappingScope,
  value: unknown,
  path: unknown,
  use: (items: readonly Item[]) => unknown,
): unknown {
  const read = createReader(scope, path);
  const items = toList(value).map((item) => ({ item, of: read(item) }));
  if (items.length === 0 || items.some(({ of }) => of !== undefined)) return use(items);
  const name = shorten(valueToText(path), maxNameChars);
  const list = items.length === 1 ? "the only item" : `any of the ${items.length} items`;
  return new MissingItem(`${name} is not in ${list} of this list`, true);
}

const maxNameChars = 80;

function noItem(path: unknown, [wanted]: readonly unknown[]): MissingItem {
  const name = shorten(valueToText(path), maxNameChars);
  const value = wanted === undefined ? "" : ` ${shorten(valueToJson(wanted), maxNameChars)}`;
  return new MissingItem(`no item of this list has ${name}${value}`, false);
}

function readEnd(
  name: "first" | "last",
  value: unknown,
  ofList: (list: readonly unknown[]) => unknown,
  ofText: (text: string) => string | undefined,
): unknown {
  if (typeof value === "string") return ofText(value);
  if (Array.isArray(value) && value.length > 0) return ofList(value);
  if (Array.isArray(value) || value === null || value === undefined)
    return new MissingItem(
      `there is no ${name} item: the list is ${value ? "empty" : "null"}`,
      false,
    );
  throw new TemplateFault(
    `${name} needs a list or text: choose one in ${shorten(valueToText(value), 40)}`,
  );
}

/** Half of an emoji's surrogate pair is no character, and can't be sent. */
function firstCharacter(text: string): string | undefined {
  return [...text.slice(0, 2)][0];
}

function lastCharacter(text: string): string | undefined {
  return [...text.slice(-2)].at(-1);
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/**
 * Reads a path of each item. The path is parsed once, and every step of every item counts: it may
 * have as many steps as the list has items.
 */
function createReader(scope: MappingScope, path: unknown): (item: unknown) => unknown {
  if (path === undefined || path === null) return (item) => item;
  const text = valueToText(path);
  scope.budget.use(text.length);
  const steps = readSteps(text).map((key) => ({ key, cost: 1 + String(key).length / 16 }));
  return (item) => {
    let current = item;
    for (const { key, cost } of steps) {
      if (current === undefined || current === null) return undefined;
      scope.budget.use(cost);
      current = readOwn(current, key);
    }
    return current;
  };
}

function createTest(scope: MappingScope, wanted: readonly unknown[]): (item: Item) => boolean {
  const expected = wanted[0] ?? null;
  return ({ of: value }) => {
    if (wanted.length === 0) return value !== undefined && value !== null && value !== false;
    if (typeof value === "string" || typeof expected === "string") {
      scope.budget.use(Math.min(costOf(value), costOf(expected)) / 16);
      return value === expected;
    }
    if ((value ?? null) === expected) return true;
    scope.budget.use(costOf(value) + costOf(expected));
    return compareNumbers(value, expected) === 0;
  };
}

function joinList(scope: MappingScope, list: readonly unknown[], separator: string): string {
  let text = "";
  for (const [at, item] of list.entries()) {
    const piece = (at === 0 ? "" : separator) + valueToText(item);
    scope.budget.use(piece.length);
    text += piece;
  }
  return text;
}

function sumItems(scope: MappingScope, items: readonly Item[]): number | ExactNumber {
  return items.reduce<number | ExactNumber>((sum, { of: value }) => {
    scope.budget.use(unitsPerSum + costOf(sum) + costOf(value));
    return calculate("plus", sum, toNumber("sum", value));
  }, 0);
}

/** Exact addition parses both numbers and serializes the sum: some 500 ns. */
const unitsPerSum = 20;

function sortItems(
  scope: MappingScope,
  items: readonly Item[],
  toRank: (value: unknown) => unknown,
): unknown[] {
  // Each value is compared about log2(n) times, in the worst case in full each time.
  const comparisons = Math.log2(items.length + 1);
  const ranked = items.map(({ item, of }) => {
    const rank = toRank(of);
    scope.budget.use(20 + (costOf(rank) / 16) * comparisons);
    return { item, rank };
  });
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ item }) => item);
}

/** Compares numbers by value and text by code unit. Missing values and other types come last. */
function compareRanks(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string")
    return left < right ? -1 : left > right ? 1 : 0;
  const byNumber =
    typeof left === "string" || typeof right === "string" ? undefined : compareNumbers(left, right);
  return byNumber ?? rankOfKind(left) - rankOfKind(right);
}

function rankOfKind(value: unknown): number {
  if (typeof value === "number" || value instanceof ExactNumber) return 0;
  return typeof value === "string" ? 1 : 2;
}

/** The first item of each value. Numbers are the same if their values are: 1.0 and 1. */
function takeDistinct(scope: MappingScope, items: readonly Item[]): unknown[] {
  const seen = new Set<string>();
  return items.flatMap(({ item, of }) => {
    const key = toKey(of);
    scope.budget.use(key.length);
    if (seen.has(key)) return [];
    seen.add(key);
    return [item];
  });
}

function toKey(value: unknown): string {
  if (value === undefined) return "";
  const decimal = value instanceof ExactNumber ? value.decimal : undefined;
  if (decimal === undefined) return valueToJson(value);
  const { sign, digits, magnitude } = decimal;
  const plain = Number(`${sign < 0 ? "-" : ""}0.${digits || "0"}e${magnitude}`);
  return compareNumbers(plain, value) === 0 ? String(plain) : `${sign} ${digits} ${magnitude}`;
}
