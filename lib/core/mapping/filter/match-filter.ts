import {
  type ActionFilter,
  type FilterCondition,
  type FilterPart,
  type ItemCondition,
  readFilterGroup,
} from "#lib/schema/act/action-filter.ts";
import { checkPattern, hasPattern } from "#lib/schema/act/filter-pattern.ts";
import { describeDateProblem } from "#lib/schema/field/date-problem.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { readDate, readWrittenDate } from "#lib/schema/field/read-date.ts";
import { compareOrdered, hasPart, isEqual, isOrdered } from "./compare-values.ts";
import { contextOfItem, type FilterContext, fullPath, readValue } from "./filter-context.ts";
import { FilterFault } from "./filter-fault.ts";

/** True if a condition or a group matches. */
export function matchesPart(part: FilterPart, context: FilterContext): boolean {
  return "op" in part ? matchesCondition(part, context) : matchesGroup(part, context);
}

function matchesGroup(filter: ActionFilter, context: FilterContext): boolean {
  const { group, parts } = readFilterGroup(filter);
  if (group === "all") return parts.every((part) => matchesPart(part, context));
  return parts.some((part) => matchesPart(part, context)) === (group === "any");
}

function matchesCondition(condition: FilterCondition, context: FilterContext): boolean {
  const { budget } = context;
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
      budget.use((costOf(actual) * condition.value.length) / 16);
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
    case "before":
    case "after":
      return isInTime(actual, condition, context);
    case "matches":
      if (typeof actual !== "string") return false;
      budget.use(costOfPattern(actual, condition.value));
      return hasPattern(actual, condition.value);
    case "anyItem":
    case "allItems":
    case "noItem":
      return matchesItems(actual, condition, context);
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

/** Measured: 0.02 µs per character, and up to 1 µs for a pattern of 1,000 instructions. */
function costOfPattern(text: string, pattern: string): number {
  const checked = checkPattern(pattern);
  return text.length * (10 + (checked.ok ? checked.instructions : 1_000) / 3);
}

type DateCondition = Extract<FilterCondition, { op: "before" | "after" }>;

/** A missing value and null are at no time. Any other must be a date: otherwise no action would ever run, or each. */
function isInTime(
  actual: unknown,
  { op, path, value }: DateCondition,
  context: FilterContext,
): boolean {
  if (actual === undefined || actual === null) return false;
  const read = readDate(actual);
  if (!read.ok) {
    const problem = describeDateProblem(actual, read);
    throw new FilterFault(`${fullPath(path, context)} is ${problem}. ${leaveOut}`);
  }
  const wanted = readWrittenDate(value, context.nowMs);
  if (!wanted.ok)
    throw new FilterFault(`the date of the condition is ${describeDateProblem(value, wanted)}`);
  return op === "before" ? read.ms < wanted.ms : read.ms > wanted.ms;
}

const leaveOut =
  "A condition before this one in `all` can leave such values out, and a transform step can bring them to another form";

/** `allItems` matches an empty list. Only `noItem` matches a value that isn't a list. */
function matchesItems(actual: unknown, condition: ItemCondition, context: FilterContext): boolean {
  const { op, path, where } = condition;
  if (!Array.isArray(actual)) return op === "noItem";
  context.budget.use(actual.length * unitsPerItem);
  const matches = (value: unknown, index: number) =>
    matchesPart(where, contextOfItem(context, path, { value, index }));
  if (op === "allItems") return actual.every(matches);
  return actual.some(matches) === (op === "anyItem");
}
