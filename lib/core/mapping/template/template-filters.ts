/**
 * The filters that templates may use. Excluded from liquidjs' set: filters that evaluate text as an
 * expression (such as `where_exp`), are random (`sample`), disable encoding (`raw`), or differ in a
 * browser (`sha256`, which is asynchronous there). The others are charged to the budget by the size
 * of their input and output.
 */
import { Drop, type FilterImplOptions, filters as liquidFilters } from "liquidjs";
import { calculate } from "#lib/core/mapping/json/decimal-math.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { dateFilters, readDateInput } from "./date-filters.ts";
import { listFilters } from "./list-filters.ts";
import { MappingScope, MissingItem } from "./mapping-scope.ts";
import { numberFilters, toNumber } from "./number-filters.ts";
import { costOf, JsonFragment, sizeOf, valueToJson, valueToText } from "./value-to-text.ts";

type Filter = (scope: MappingScope, value: unknown, ...args: readonly unknown[]) => unknown;
type LiquidFilter = (this: unknown, value: unknown, ...args: readonly unknown[]) => unknown;

const textFilters =
  "append prepend lstrip rstrip strip downcase upcase strip_newlines squish " +
  "capitalize truncate truncatewords normalize_whitespace escape escape_once " +
  "xml_escape strip_html newline_to_br url_encode url_decode cgi_escape " +
  "uri_escape slugify base64_encode base64_decode";
const patternFilters = "split replace replace_first replace_last remove remove_first remove_last";
const builtInFilters = "reverse concat push unshift pop shift slice";

/** Maps each name to its handler for `Liquid.registerFilter`. */
export function createFilters(): Map<string, FilterImplOptions> {
  const handlers = new Map<string, Filter>(Object.entries({ ...ownFilters, ...listFilters }));
  for (const name of textFilters.split(" ")) handlers.set(name, wrapTextFilter(name, 0));
  for (const name of patternFilters.split(" ")) handlers.set(name, wrapTextFilter(name, 1));
  for (const name of Object.keys(numberFilters)) handlers.set(name, wrapNumberFilter(name));
  for (const name of builtInFilters.split(" ")) handlers.set(name, wrapFilter(name, toPlain));
  for (const name of Object.keys(dateFilters)) handlers.set(name, wrapDateFilter(name));
  return new Map([...handlers].map(([name, filter]) => [name, toLiquidFilter(name, filter)]));
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
};

/** Charges sizes, and turns liquidjs' `nil`, `empty`, and `blank` into plain values. */
function toLiquidFilter(name: string, filter: Filter): FilterImplOptions {
  return function (this: { context: unknown }, value: unknown, ...args: unknown[]): unknown {
    const scope = this.context;
    if (!(scope instanceof MappingScope)) throw new TypeError("filters run in a MappingScope only");
    // Of what is missing, every filter but `default` gives what is missing.
    if (value instanceof MissingItem && name !== "default") return value;
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
