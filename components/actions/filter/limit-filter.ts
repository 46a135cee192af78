import type { ActionDraft } from "../draft/action-draft.ts";
import {
  type ConditionDraft,
  type FilterDraft,
  filledRows,
  newRow,
  readValue,
  writeValue,
} from "../draft/filter-draft.ts";

/** The event type under the name that it has for every provider. */
const typePath = "delivery.eventType";
const typePaths: ReadonlySet<string> = new Set([typePath, "type", "payload.type"]);

/**
 * Whether a condition can be added that must match besides the others. Rows can't say it of "any" and
 * "none", and JSON is left as it is.
 */
export function canLimit(filter: FilterDraft): boolean {
  const filled = filledRows(filter).length;
  if (filter.mode === "json") return false;
  return filled === 0 || filter.match === "all" || (filter.match === "any" && filled === 1);
}

/** The event types that the action runs for. Null: it runs for all. */
export function readTypes(filter: FilterDraft): readonly string[] | null {
  const row = canLimit(filter) ? findTypeRow(filter) : undefined;
  return row === undefined ? null : typesOf(row);
}

/** Lets the action run for this event type, and no longer for all. */
export function addType(filter: FilterDraft, type: string): FilterDraft {
  const row = findTypeRow(filter);
  return row === undefined
    ? addRow(filter, { path: typePath, op: "equals", value: writeValue("equals", type) })
    : writeTypes(filter, row, [...typesOf(row), type]);
}

type MadeFrom = {
  readonly deliveries: readonly { readonly id: string; readonly eventType: string | null }[];
};

/**
 * An action that is made from a delivery runs only for its event type: other types seldom have the
 * same fields. A draft that says for which types it runs stays as it is.
 */
export function limitToDelivery(
  draft: ActionDraft,
  { deliveries }: MadeFrom,
  deliveryId: string | undefined,
): ActionDraft {
  const { filter } = draft;
  const eventType = deliveries.find(({ id }) => id === deliveryId)?.eventType ?? null;
  if (eventType === null || !canLimit(filter) || readTypes(filter) !== null) return draft;
  return { ...draft, filter: addType(filter, eventType) };
}

/** Lets the action no longer run for this event type, or for all types if it was the only one. */
export function removeType(filter: FilterDraft, type: string): FilterDraft {
  const row = findTypeRow(filter);
  if (row === undefined) return filter;
  const left = typesOf(row).filter((one) => one !== type);
  if (left.length > 0) return writeTypes(filter, row, left);
  return { ...filter, rows: filter.rows.filter(({ key }) => key !== row.key) };
}

/** Lets the action run only for deliveries that have this field. */
export function requireField(filter: FilterDraft, path: string): FilterDraft {
  return addRow(filter, { path, op: "exists", value: "" });
}

export type SeenTypes = {
  /** The event type of the chosen delivery. */
  readonly chosen: string | null;
  /** The event type of a delivery that has all mapped fields. */
  readonly fitting: string | null;
};

/**
 * The filter that skips deliveries like the chosen one, in which a mapped field is missing: all but
 * those of the event type that it was mapped for, or all without the field. Null: no filter can.
 */
export function offerLimit(
  filter: FilterDraft,
  missing: string,
  { chosen, fitting }: SeenTypes,
): { readonly label: string; readonly filter: FilterDraft } | null {
  if (!canLimit(filter)) return null;
  if (fitting !== null && fitting !== chosen)
    return { label: `Run only for ${fitting}`, filter: addType(filter, fitting) };
  // A filter reads the delivery, not the steps.
  if (/^(?:steps|item|index)\b/.test(missing)) return null;
  return {
    label: `Run only for deliveries with ${missing}`,
    filter: requireField(filter, missing),
  };
}

function findTypeRow(filter: FilterDraft): ConditionDraft | undefined {
  return filledRows(filter).find(
    ({ path, op }) => typePaths.has(path.trim()) && (op === "equals" || op === "in"),
  );
}

function typesOf({ op, value }: ConditionDraft): readonly string[] {
  const read = readValue(op, value);
  return (Array.isArray(read) ? read : [read]).map(String);
}

function writeTypes(
  filter: FilterDraft,
  { key }: ConditionDraft,
  types: readonly string[],
): FilterDraft {
  const [only = "", ...others] = types;
  const limited =
    others.length === 0
      ? ({ op: "equals", value: writeValue("equals", only) } as const)
      : ({ op: "in", value: writeValue("in", types) } as const);
  return {
    ...filter,
    rows: filter.rows.map((row) => (row.key === key ? { ...row, ...limited } : row)),
  };
}

/** Fills an empty row, if there is one. */
function addRow(filter: FilterDraft, condition: Omit<ConditionDraft, "key">): FilterDraft {
  const filled = filledRows(filter);
  const empty = filter.rows.find((row) => !filled.includes(row));
  const added = { ...(empty ?? newRow(filter.rows)), ...condition };
  const others = filter.rows.filter(({ key }) => key !== added.key);
  return { ...filter, match: "all", rows: [...others, added] };
}
