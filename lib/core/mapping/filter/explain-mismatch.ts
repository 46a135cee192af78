import { shorten } from "#lib/base/shorten.ts";
import { valueToText } from "#lib/core/mapping/template/value-to-text.ts";
import {
  type ActionFilter,
  type FilterCondition,
  type FilterPart,
  type ItemCondition,
  readFilterGroup,
} from "#lib/schema/act/action-filter.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { readDistance } from "#lib/schema/field/read-date.ts";
import { contextOfItem, type FilterContext, fullPath, readValue } from "./filter-context.ts";
import { matchesPart } from "./match-filter.ts";

/** The reason why a filter doesn't match, in one sentence. Null: it matches. */
export function explainMismatch(filter: ActionFilter, context: FilterContext): string | null {
  return explainGroup(filter, true, context);
}

/** @param wanted false inside `none`: the group must not match */
function explainGroup(
  filter: ActionFilter,
  wanted: boolean,
  context: FilterContext,
): string | null {
  const { group, parts } = readFilterGroup(filter);
  // "None of them" is "all of them not", and "not all of them" is "any of them not".
  const partWanted = (group === "none") !== wanted;
  const failed = (part: FilterPart) => matchesPart(part, context) !== partWanted;
  if ((group === "any") !== wanted) {
    const first = parts.find(failed);
    return first === undefined ? null : explainPart(first, partWanted, context);
  }
  if (!parts.every(failed)) return null;
  const reasons = parts.slice(0, 3).map((part) => explainPart(part, partWanted, context));
  const more = parts.length > reasons.length ? `; and ${parts.length - reasons.length} more` : "";
  return `${reasons.join("; ")}${more}`;
}

/** Explains a condition or group whose result isn't the wanted one. */
function explainPart(part: FilterPart, wanted: boolean, context: FilterContext): string {
  if (!("op" in part)) return explainGroup(part, wanted, context) ?? "";
  return "where" in part
    ? explainItems(part, wanted, context)
    : explainValue(part, wanted, context);
}

type ValueCondition = Exclude<FilterCondition, ItemCondition>;

function explainValue(condition: ValueCondition, wanted: boolean, context: FilterContext): string {
  const actual = readValue(condition.path, context);
  const { op } = condition;
  const is = actual === undefined ? "is missing" : `is ${show(actual)}`;
  const must = wanted ? `must ${demands[op]}` : (opposites[op] ?? `must not ${demands[op]}`);
  const value = "value" in condition ? ` ${showWanted(condition, context)}` : "";
  return `${fullPath(condition.path, context)} ${is} and ${must}${value}`;
}

const demands: Readonly<Record<ValueCondition["op"], string>> = {
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
  before: "be before",
  after: "be after",
  matches: "match",
};

/** These avoid "must not not". */
const opposites: Readonly<Partial<Record<ValueCondition["op"], string>>> = {
  notExists: "must exist",
  notEquals: "must equal",
};

const maxShownChars = 100;

function showWanted(
  condition: Extract<ValueCondition, { value: unknown }>,
  { nowMs }: FilterContext,
): string {
  const { op, value } = condition;
  if (op === "matches") return shorten(`/${value}/`, maxShownChars);
  const isDate = op === "before" || op === "after";
  const distanceMs = isDate && typeof value === "string" ? readDistance(value) : undefined;
  if (distanceMs === undefined) return show(value);
  return `${value} (${new Date(nowMs + distanceMs).toISOString()})`;
}

function explainItems(condition: ItemCondition, wanted: boolean, context: FilterContext): string {
  const { op, path, where } = condition;
  const list = readValue(path, context);
  const name = fullPath(path, context);
  if (!Array.isArray(list))
    return `${name} is ${list === undefined ? "missing" : show(list)} and must be a list`;
  const ofItem = (value: unknown, index: number) => contextOfItem(context, path, { value, index });
  // The condition must hold for one of the items, or for each: as in groups.
  const itemWanted = (op === "noItem") !== wanted;
  if ((op === "anyItem") !== wanted) {
    const index = list.findIndex((item, at) => matchesPart(where, ofItem(item, at)) !== itemWanted);
    return explainPart(where, itemWanted, ofItem(list[index], index));
  }
  if (list.length === 0)
    return `${name} is empty and must have an item that ${itemWanted ? "matches" : "doesn't match"}`;
  const example = explainPart(where, itemWanted, ofItem(list[0], 0));
  const first = list.length === 1 ? "" : "for example, ";
  return `${itemWanted ? "no" : "every"} item of ${name} matches: ${first}${example}`;
}

function show(value: unknown): string {
  if (Array.isArray(value) && value.length > 20) return `a list of ${value.length}`;
  if (Array.isArray(value)) return shorten(`[${value.map(show).join(", ")}]`, maxShownChars);
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(shorten(value, maxShownChars));
  if (typeof value === "object" && !(value instanceof ExactNumber)) return "an object";
  return shorten(valueToText(value), maxShownChars);
}
