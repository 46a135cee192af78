/**
 * The filters that templates may use. Excluded from liquidjs' set: filters that evaluate text as an
 * expression (such as `where_exp`), are random (`sample`), disable encoding (`raw`), or differ in a
 * browser (`sha256`, which is asynchronous there). The others are charged to the budget by the size
 * of their input and output.
 */
import { Drop, type FilterImplOptions, filters as liquidFilters } from "liquidjs";
import { calculate } from "#lib/core/json/decimal-math.ts";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { dateFilters, readDateInput } from "./date-filters.ts";
import { MappingScope, readOwn } from "./mapping-scope.ts";
import { numberFilters, toNumber } from "./number-filters.ts";
import { JsonFragment, valueToJson, valueToText } from "./value-to-text.ts";

type Filter = (scope: MappingScope, value: unknown, ...args: readonly unknown[]) => unknown;
type LiquidFilter = (this: unknown, value: unknown, ...args: readonly unknown[]) => unknown;

const textFilters =
  "append prepend lstrip rstrip strip downcase upcase strip_newlines squish " +
  "capitalize truncate truncatewords normalize_whitespace escape escape_once " +
  "xml_escape strip_html newline_to_br url_encode url_decode cgi_escape " +
  "uri_escape slugify base64_encode base64_decode";
const patternFilters = "split replace replace_first replace_last remove remove_first remove_last";
const listFilters = "reverse concat push unshift pop shift slice compact uniq";

/** Maps each name to its handler for `Liquid.registerFilter`. */
export function createFilters(): Map<string, FilterImplOptions> {
  const handlers = new Map<string, Filter>(Object.entries(ownFilters));
  for (const name of textFilters.split(" ")) handlers.set(name, wrapTextFilter(name, 0));
  for (const name of patternFilters.split(" ")) handlers.set(name, wrapTextFilter(name, 1));
  for (const name of Object.keys(numberFilters)) handlers.set(name, wrapNumberFilter(name));
  for (const name of listFilters.split(" ")) handlers.set(name, wrapFilter(name, toPlain));
  for (const name of Object.keys(dateFilters)) handlers.set(name, wrapDateFilter(name));
  return new Map([...handlers].map(([name, filter]) => [name, toLiquidFilter(filter)]));
}

const ownFilters: Record<string, Filter> = {
  default: (_scope, value, fallback, option) => {
    if (
      value === false &&
      Array.isArray(option) &&
      option[0] === "allow_false" &&
      option[1] === true
    )
      return false;
    const isEmpty = value === null || value === undefined || value === false || value === "";
    return isEmpty || (Array.isArray(value) && value.length === 0) ? fallback : value;
  },
  json: (_scope, value) => new JsonFragment(valueToJson(value)),
  plus: createCalculation("plus"),
  minus: createCalculation("minus"),
  times: createCalculation("times"),
  size: (_scope, value) => sizeOf(value),
  first: (_scope, value) =>
    Array.isArray(value) ? value[0] : typeof value === "string" ? firstCharacter(value) : "",
  last: (_scope, value) =>
    Array.isArray(value) ? value.at(-1) : typeof value === "string" ? lastCharacter(value) : "",
  join: (scope, value, separator = " ") => joinList(scope, toList(value), valueToText(separator)),
  map: (scope, value, path) => toList(value).map(createReader(scope, path)),
  sum: (scope, value, path) => sumList(scope, toList(value), path),
  sort: (scope, value, path) => sortList(scope, toList(value), path, (item) => item),
  sort_natural: (scope, value, path) =>
    sortList(scope, toList(value), path, (item) => valueToText(item).toLowerCase()),
  where: (scope, value, path, ...wanted) => toList(value).filter(createTest(scope, path, wanted)),
  reject: (scope, value, path, ...wanted) => {
    const isWanted = createTest(scope, path, wanted);
    return toList(value).filter((item) => !isWanted(item));
  },
  find: (scope, value, path, ...wanted) => toList(value).find(createTest(scope, path, wanted)),
};

/** Charges sizes, and turns liquidjs' `nil`, `empty`, and `blank` into plain values. */
function toLiquidFilter(filter: Filter): FilterImplOptions {
  return function (this: { context: unknown }, value: unknown, ...args: unknown[]): unknown {
    const scope = this.context;
    if (!(scope instanceof MappingScope)) throw new TypeError("filters run in a MappingScope only");
    const inputs = [value, ...args].map(toPlain);
    for (const input of inputs) scope.budget.use(costOf(input) + 1);
    const result = filter(scope, inputs[0], ...inputs.slice(1));
    scope.budget.use(costOf(result));
    return result;
  };
}

function wrapFilter(name: string, convert: (value: unknown) => unknown): Filter {
  const known: unknown = Reflect.get(liquidFilters, name);
  if (typeof known !== "function") throw new TypeError(`liquidjs has no filter ${name}`);
  const handler = known as LiquidFilter;
  return (scope, value, ...args) =>
    handler.call({ context: scope }, convert(value), ...args.map(convert));
}

function createCalculation(name: "plus" | "minus" | "times"): Filter {
  return (_scope, value, other) => calculate(name, toNumber(name, value), toNumber(name, other));
}

function wrapNumberFilter(name: string): Filter {
  const handler = wrapFilter(name, toPlain);
  return (scope, value, ...others) => {
    const number = toNumber(name, value);
    // The second argument of `divided_by` is true or false.
    const args = others.map((arg) => (typeof arg === "boolean" ? arg : toNumber(name, arg)));
    return numberFilters[name]?.(number, ...args) ?? handler(scope, number, ...args);
  };
}

/** `patterns` is the number of arguments to search for, which costs up to text × pattern. */
function wrapTextFilter(name: string, patterns: number): Filter {
  const handler = wrapFilter(name, toPlain);
  return (scope, value, ...args) => {
    const [text, ...others] = [value, ...args].map((input) => toTextInput(scope, input));
    for (const pattern of others.slice(0, patterns)) {
      scope.budget.use((valueToText(text).length * valueToText(pattern).length) / 64);
    }
    return handler(scope, text, ...others);
  };
}

/**
 * Numbers stay numbers (`truncate: 5`); lists and objects become JSON before they are used as text.
 */
function toTextInput(scope: MappingScope, value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  const text = valueToText(value);
  scope.budget.use(text.length);
  return text;
}

/** `now` is the caller's time. */
function wrapDateFilter(name: string): Filter {
  return (scope, value, ...args) => {
    // A zone takes some 100 µs the first time, and 30 µs afterwards.
    scope.budget.use(args.length > 1 ? 5_000 : 1_000);
    const ms = readDateInput(name, value, scope.nowMs);
    return typeof ms === "number" ? dateFilters[name]?.(ms, args) : ms;
  };
}

function toPlain(value: unknown): unknown {
  return value instanceof Drop ? value.valueOf() : value;
}

/** The cost in budget units. A number can have as many digits as a text has characters. */
function costOf(value: unknown): number {
  return value instanceof ExactNumber ? value.toString().length : sizeOf(value);
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (value instanceof JsonFragment) return value.toString().length;
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return 0;
  return Object.keys(value).length;
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** Half of an emoji's surrogate pair is no character, and can't be sent. */
function firstCharacter(text: string): string | undefined {
  return [...text.slice(0, 2)][0];
}

function lastCharacter(text: string): string | undefined {
  return [...text.slice(-2)].at(-1);
}

type Reader = (item: unknown) => unknown;

/**
 * Reads a path of each item. The path is parsed once, and every step of every item counts: it may
 * have as many steps as the list has items.
 */
function createReader(scope: MappingScope, path: unknown): Reader {
  if (path === undefined || path === null) return (item) => item;
  const text = valueToText(path);
  scope.budget.use(text.length);
  const steps = text.split(".").map((key) => ({ key, cost: 1 + key.length / 16 }));
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

function createTest(
  scope: MappingScope,
  path: unknown,
  wanted: readonly unknown[],
): (item: unknown) => boolean {
  const read = createReader(scope, path);
  const expected = wanted[0] ?? null;
  return (item) => {
    const value = read(item);
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

function sumList(
  scope: MappingScope,
  list: readonly unknown[],
  path: unknown,
): number | ExactNumber {
  const read = createReader(scope, path);
  return list.reduce<number | ExactNumber>((sum, item) => {
    const value = read(item);
    scope.budget.use(unitsPerSum + costOf(sum) + costOf(value));
    return calculate("plus", sum, toNumber("sum", value));
  }, 0);
}

/** Exact addition parses both numbers and serializes the sum: some 500 ns. */
const unitsPerSum = 20;

function sortList(
  scope: MappingScope,
  list: readonly unknown[],
  path: unknown,
  toRank: (value: unknown) => unknown,
): unknown[] {
  const read = createReader(scope, path);
  // Each value is compared about log2(n) times, in the worst case in full each time.
  const comparisons = Math.log2(list.length + 1);
  const ranked = list.map((item) => {
    const rank = toRank(read(item));
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
