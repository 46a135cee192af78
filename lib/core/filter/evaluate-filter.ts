import type { MappingContext } from "#lib/core/template/mapping-context.ts";
import { readOwn } from "#lib/core/template/mapping-scope.ts";
import { RenderBudget } from "#lib/core/template/render-budget.ts";
import { valueToText } from "#lib/core/template/value-to-text.ts";
import type {
  ActionFilter,
  FilterCondition,
  FilterPart,
} from "#lib/schema/action/action-filter.ts";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { readFilterPath } from "./read-filter-path.ts";

export type FilterVerdict =
  | { readonly matches: true }
  /** Why the run was skipped, in one sentence for the action's owner. */
  | { readonly matches: false; readonly because: string };

/**
 * Decides whether an action runs on a delivery. Text and booleans compare by kind and value;
 * numbers by exact value (1.10 equals 1.1). `gt` and the like also take numeric text ("10.00"), and
 * compare other texts by code unit, which works for ISO dates. Groups combine their parts. A
 * missing name only matches `notExists` and `notEquals`; null counts as present.
 */
export function evaluateFilter(
  filter: ActionFilter | null,
  context: MappingContext,
  budget: RenderBudget = new RenderBudget(),
): FilterVerdict {
  return evaluatePart(filter, { context, budget });
}

/**
 * `budget` counts the characters, digits, and list items that are compared. Throws a
 * `TemplateFault` if there are too many.
 */
type Ground = { readonly context: MappingContext; readonly budget: RenderBudget };

function evaluatePart(filter: ActionFilter | null, ground: Ground): FilterVerdict {
  if (filter === null) return { matches: true };
  if ("all" in filter) {
    const failed = filter.all.find((part) => !holds(part, ground));
    return failed === undefined
      ? { matches: true }
      : { matches: false, because: explainPart(failed, ground) };
  }
  if (filter.any.some((part) => holds(part, ground))) return { matches: true };
  const reasons = filter.any.slice(0, 3).map((part) => explainPart(part, ground));
  const more =
    filter.any.length > reasons.length ? `; and ${filter.any.length - reasons.length} more` : "";
  return { matches: false, because: `${reasons.join("; ")}${more}` };
}

function holds(part: FilterPart, ground: Ground): boolean {
  return "op" in part ? matches(part, ground) : evaluatePart(part, ground).matches;
}

function explainPart(part: FilterPart, ground: Ground): string {
  if ("op" in part) return explain(part, ground.context);
  const verdict = evaluatePart(part, ground);
  return verdict.matches ? "" : verdict.because;
}

function matches(condition: FilterCondition, { context, budget }: Ground): boolean {
  const actual = readValue(condition.path, context);
  budget.use(unitsPerCondition + costOf(actual));
  switch (condition.op) {
    case "exists":
      return actual !== undefined;
    case "notExists":
      return actual === undefined;
    case "equals":
      return isEqual(actual, condition.value);
    case "notEquals":
      return !isEqual(actual, condition.value);
    case "in":
      return condition.value.some((wanted) => isEqual(actual, wanted));
    case "contains":
      budget.use(costOfSearch(actual, condition.value));
      return hasPart(actual, condition.value);
    case "startsWith":
      return typeof actual === "string" && actual.startsWith(condition.value);
    case "endsWith":
      return typeof actual === "string" && actual.endsWith(condition.value);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return isOrdered(condition.op, compareOrdered(actual, condition.value));
    default:
      return condition satisfies never;
  }
}

/** Paths are parsed once, since `in` has up to a hundred values. */
const unitsPerCondition = 200;
/** Comparing two exact numbers takes some 300 ns. */
const unitsPerItem = 20;

function costOf(value: unknown): number {
  if (value instanceof ExactNumber) return value.toString().length;
  return typeof value === "string" ? value.length : 0;
}

function costOfSearch(actual: unknown, wanted: unknown): number {
  if (typeof actual === "string") return (actual.length * costOf(wanted)) / 64;
  if (!Array.isArray(actual)) return 0;
  return actual.reduce<number>((sum, item) => sum + unitsPerItem + costOf(item), 0);
}

function readValue(path: string, context: MappingContext): unknown {
  const [root = "", ...keys] = readFilterPath(path);
  return keys.reduce<unknown>(readOwn, context.readName(root));
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === "number" || value instanceof ExactNumber;
}

function isEqual(actual: unknown, wanted: unknown): boolean {
  return isNumber(actual) && isNumber(wanted)
    ? compareNumbers(actual, wanted) === 0
    : actual === wanted;
}

/** A list contains the item, a text contains the text. */
function hasPart(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((item) => isEqual(item, wanted));
  return typeof actual === "string" && typeof wanted === "string" && actual.includes(wanted);
}

function compareOrdered(actual: unknown, wanted: unknown): number | undefined {
  if (!isNumber(actual) && typeof actual !== "string") return undefined;
  const byNumber = compareNumbers(actual, wanted);
  if (byNumber !== undefined) return byNumber;
  if (typeof actual !== "string" || typeof wanted !== "string") return undefined;
  return actual < wanted ? -1 : Number(actual > wanted);
}

function isOrdered(op: "gt" | "gte" | "lt" | "lte", order: number | undefined): boolean {
  if (order === undefined) return false;
  if (op === "gt") return order > 0;
  if (op === "gte") return order >= 0;
  return op === "lt" ? order < 0 : order <= 0;
}

const demands: Readonly<Record<FilterCondition["op"], string>> = {
  exists: "exist",
  notExists: "not exist",
  equals: "equal",
  notEquals: "not equal",
  in: "be one of",
  contains: "contain",
  startsWith: "start with",
  endsWith: "end with",
  gt: "be greater than",
  gte: "be at least",
  lt: "be less than",
  lte: "be at most",
};

function explain(condition: FilterCondition, context: MappingContext): string {
  const actual = readValue(condition.path, context);
  const is = actual === undefined ? "is missing" : `is ${show(actual)}`;
  const wanted = "value" in condition ? ` ${show(condition.value)}` : "";
  return `${condition.path} ${is} and must ${demands[condition.op]}${wanted}`;
}

function show(value: unknown): string {
  if (Array.isArray(value) && value.length > 20) return `a list of ${value.length}`;
  if (Array.isArray(value)) return shorten(`[${value.map(show).join(", ")}]`);
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (typeof value === "object" && !(value instanceof ExactNumber)) return "an object";
  return shorten(valueToText(value));
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
