import { readJsonField } from "#components/ui/form/read-json-field.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type {
  ActionFilter,
  FilterCondition,
  FilterGroup,
  FilterPart,
} from "#lib/schema/act/action-filter.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

/** The "Run only when …" filter as rows, or as JSON. */
export type FilterDraft = GroupDraft & {
  readonly mode: "rows" | "json";
  readonly json: string;
};

export type GroupDraft = {
  readonly match: FilterGroup;
  readonly rows: readonly ConditionDraft[];
};

export type ConditionDraft = {
  readonly key: number;
  readonly path: string;
  readonly op: FilterCondition["op"];
  readonly value: string;
  /** The conditions on the items of a list. */
  readonly where?: GroupDraft;
};

/** The filter's result for one delivery. */
export type FilterVerdictView =
  | { readonly matches: true }
  | { readonly matches: false; readonly because: string };

/** The number of the latest deliveries that match. */
export type FilterTally = { readonly evaluated: number; readonly runs: number };

export const noFilter: FilterDraft = { mode: "rows", match: "all", rows: [], json: "" };

export const operators: readonly { readonly op: FilterCondition["op"]; readonly words: string }[] =
  [
    { op: "equals", words: "equals" },
    { op: "notEquals", words: "does not equal" },
    { op: "in", words: "is one of" },
    { op: "contains", words: "contains" },
    { op: "startsWith", words: "starts with" },
    { op: "endsWith", words: "ends with" },
    { op: "gt", words: "is greater than" },
    { op: "gte", words: "is at least" },
    { op: "lt", words: "is less than" },
    { op: "lte", words: "is at most" },
    { op: "before", words: "is before" },
    { op: "after", words: "is after" },
    { op: "matches", words: "matches regex" },
    { op: "exists", words: "exists" },
    { op: "notExists", words: "doesn't exist" },
    { op: "anyItem", words: "has an item where" },
    { op: "allItems", words: "has only items where" },
    { op: "noItem", words: "has no item where" },
  ];

export function hasValue(op: FilterCondition["op"]): boolean {
  return op !== "exists" && op !== "notExists" && !hasItems(op);
}

/** True for an operator with conditions on each item. */
export function hasItems(op: FilterCondition["op"]): boolean {
  return op === "anyItem" || op === "allItems" || op === "noItem";
}

export function newRow(rows: readonly ConditionDraft[]): ConditionDraft {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return { key, path: "", op: "equals", value: "" };
}

export const newItems: GroupDraft = { match: "all", rows: [newRow([])] };

/** Nested groups can't be shown as rows, so such a filter is shown as JSON. */
export function toFilterDraft(filter: ActionFilter | null): FilterDraft {
  if (filter === null) return noFilter;
  const group = toGroupDraft(filter);
  if (group !== null) return { ...noFilter, ...group };
  return { ...noFilter, mode: "json", json: JSON.stringify(filter, null, 2) };
}

function toGroupDraft(filter: ActionFilter): GroupDraft | null {
  const [match, parts] = readGroup(filter);
  const rows = parts.flatMap((part, key) => toRow(part, key) ?? []);
  return rows.length === parts.length ? { match, rows } : null;
}

function readGroup(filter: ActionFilter): readonly [FilterGroup, readonly FilterPart[]] {
  if ("all" in filter) return ["all", filter.all];
  return "any" in filter ? ["any", filter.any] : ["none", filter.none];
}

function toRow(part: FilterPart, key: number): ConditionDraft | null {
  if (!("op" in part)) return null;
  const { path, op } = part;
  if (!("where" in part))
    return { key, path, op, value: "value" in part ? writeValue(op, part.value) : "" };
  const where = toGroupDraft(part.where);
  return where === null ? null : { key, path, op, value: "", where };
}

type ReadFilter =
  | { readonly ok: true; readonly filter: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The filter as API input, whose schema checks the rest. Null if there are no conditions. */
export function readFilterDraft(draft: FilterDraft): ReadFilter {
  if (draft.mode === "json") return readJson(draft.json);
  const isEmpty = filledRows(draft).length === 0;
  return { ok: true, filter: isEmpty ? null : readRows(draft) };
}

function readRows({ match, rows }: GroupDraft): unknown {
  const conditions = filledRows({ rows }).map(({ path, op, value, where }) => ({
    path: path.trim(),
    op,
    ...(hasValue(op) ? { value: readValue(op, value) } : {}),
    ...(hasItems(op) ? { where: readRows(where ?? newItems) } : {}),
  }));
  return { [match]: conditions };
}

/** Rows with content. Their index matches the paths in API errors. */
export function filledRows({ rows }: Pick<GroupDraft, "rows">): readonly ConditionDraft[] {
  return rows.filter(({ path, value }) => path.trim() !== "" || value.trim() !== "");
}

/** Switches between rows and JSON. JSON that rows can't show stays JSON, with the reason. */
export function switchFilterMode(
  draft: FilterDraft,
):
  | { readonly ok: true; readonly draft: FilterDraft }
  | { readonly ok: false; readonly message: string } {
  const read = readFilterDraft(draft);
  if (draft.mode === "rows") {
    const written = read.ok && read.filter !== null ? stringifyExactJson(read.filter) : null;
    const json = written?.ok === true ? indent(written.text) : "";
    return { ok: true, draft: { ...draft, mode: "json", json } };
  }
  if (!read.ok) return { ok: false, message: read.errors[0]?.message ?? "" };
  if (read.filter === null) return { ok: true, draft: noFilter };
  if (!isFlat(read.filter))
    return { ok: false, message: "Rows can't show nested groups. Edit them as JSON." };
  return { ok: true, draft: toFilterDraft(read.filter) };
}

function readJson(json: string): ReadFilter {
  if (json.trim() === "") return { ok: true, filter: null };
  const read = readJsonField("filter", json);
  return read.ok ? { ok: true, filter: read.value } : read;
}

/** Indents JSON and keeps all digits of numbers. `JSON.stringify` would change them. */
function indent(json: string): string {
  const parsed = parseExactJson(json);
  return parsed.ok ? JSON.stringify(parsed.value, null, 2) : json;
}

function isFlat(value: unknown): value is ActionFilter {
  if (typeof value !== "object" || value === null) return false;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return false;
  const [match, parts] = entry;
  if (match !== "all" && match !== "any" && match !== "none") return false;
  return Array.isArray(parts) && parts.every(isCondition);
}

function isCondition(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { path, op, where } = value as { path?: unknown; op?: unknown; where?: unknown };
  const known = operators.find((operator) => operator.op === op);
  if (typeof path !== "string" || known === undefined) return false;
  return !hasItems(known.op) || isFlat(where);
}

/** Text as typed, in quotes if it would otherwise be parsed as another type. */
export function writeValue(op: FilterCondition["op"], value: unknown): string {
  if (op === "matches") return String(value);
  if (Array.isArray(value)) return value.map((item) => writeScalar(item, /[,"]/)).join(", ");
  return writeScalar(value, /^"/);
}

function writeScalar(value: unknown, needsQuotes: RegExp): string {
  if (typeof value !== "string")
    return value instanceof ExactNumber ? value.toString() : String(value);
  const isPlain =
    value !== "" &&
    value === value.trim() &&
    !needsQuotes.test(value) &&
    readScalar(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

/** The value of a row as the API takes it. */
export function readValue(op: FilterCondition["op"], text: string): unknown {
  // Quotes and spaces are part of a pattern.
  if (op === "matches") return text;
  if (op === "in") return splitList(text).map(readScalar);
  const scalar = readScalar(text);
  // These operators compare text only.
  const isTextOnly = op === "startsWith" || op === "endsWith";
  return isTextOnly && typeof scalar !== "string" ? text.trim() : scalar;
}

/** Numbers, true, false, null, and quoted text are parsed as such; everything else is text. */
function readScalar(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(?:-?\d|"|true$|false$|null$)/.test(trimmed)) return trimmed;
  const parsed = parseExactJson(trimmed);
  return parsed.ok &&
    (typeof parsed.value !== "object" ||
      parsed.value === null ||
      parsed.value instanceof ExactNumber)
    ? parsed.value
    : trimmed;
}

/** Splits at commas outside quotes. */
function splitList(text: string): readonly string[] {
  return [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|[^,]+?)\s*(?:,|$)/g)].map(
    ([, item = ""]) => item,
  );
}
