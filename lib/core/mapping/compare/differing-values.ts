import { readSteps } from "#lib/schema/field/value-path.ts";
import { isPlain, type PayloadValues } from "./payload-values.ts";

/** One row of a list. Rows with the same event type are compared with each other. */
type ComparedRow = {
  readonly eventType: string | null;
  readonly values: PayloadValues;
};

/** A name and its value. */
type ShownValue = readonly [name: string, value: string];

const maxShown = 5;

/**
 * The values by which a row differs from the other rows of its event type, those that people
 * recognize first: names and amounts before ids, ids before times. A row without others of its type
 * shows its first values.
 */
export function chooseDifferingValues(
  rows: readonly ComparedRow[],
): readonly (readonly ShownValue[])[] {
  const groups = Map.groupBy(rows, ({ eventType }) => eventType);
  const pathsOf = new Map(
    Array.from(groups, ([eventType, group]) => [eventType, choosePaths(group)]),
  );
  return rows.map(({ eventType, values }) => {
    const paths = (pathsOf.get(eventType) ?? []).filter((path) => values.has(path));
    const shown = paths.slice(0, maxShown);
    return shown.map((path) => [nameOf(path, shown), values.get(path) ?? ""]);
  });
}

function choosePaths(rows: readonly ComparedRow[]): readonly string[] {
  const seen = new Map<string, string[]>();
  for (const { values, eventType } of rows)
    for (const [path, value] of values) {
      if (!isPlain(value) || value === "" || value === eventType) continue;
      const known = seen.get(path);
      if (known === undefined) seen.set(path, [value]);
      else known.push(value);
    }
  return [...seen]
    .filter(([, values]) => rows.length === 1 || isDiffering(values, rows.length))
    .map(([path, values]) => ({ path, rank: rankOf(path, values) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ path }) => path);
}

/** A value that only some rows have differs too. */
function isDiffering(values: readonly string[], rowCount: number): boolean {
  return values.length < rowCount || new Set(values).size > 1;
}

/** Lower ranks come first. Paths of the same rank stay in the order of the payload. */
function rankOf(path: string, values: readonly string[]): number {
  if (/\.\d+(\.|$)/.test(path)) return 4;
  if (values.every(isTime)) return 3;
  if (values.every((value) => value === "true" || value === "false" || value === "null")) return 2;
  return values.some(isUnreadable) ? 2 : isId(path, values) ? 1 : 0;
}

/** ISO 8601, or Unix seconds or milliseconds of this century. */
function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\d([T ]|$)/.test(value) || /^1\d{9}(\d{3})?(\.\d+)?$/.test(value);
}

/** Tokens, hashes, and links tell people nothing. */
function isUnreadable(value: string): boolean {
  return value.length > 80 || /^https?:\/\//.test(value) || /^\S{41,}$/.test(value);
}

function isId(path: string, values: readonly string[]): boolean {
  return /(^|[._])id$|Id$/.test(path) || values.every((value) => /^[a-z]+_\w{8,}$/i.test(value));
}

/** The last name of a path, with the one before it if two of them are the same. */
export function nameOf(path: string, shown: readonly string[]): string {
  const last = lastName(path);
  const isAlone = shown.filter((other) => lastName(other) === last).length === 1;
  return isAlone ? last : readSteps(path).slice(-2).join(".");
}

function lastName(path: string): string {
  return String(readSteps(path).at(-1));
}
