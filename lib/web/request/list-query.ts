import { z } from "zod";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

export type ListQuery<Name extends string, Filter> = {
  /** The form's values, as the URL has them. */
  readonly values: Readonly<Record<Name, string>>;
  readonly filter: Filter;
  /** The filter as the list's service takes it. */
  readonly asked: Readonly<Record<string, string>>;
  readonly cursor: string | undefined;
  /** The cursors of the previous pages, oldest first. */
  readonly trail: readonly string[];
  /** The problems by field. If there are any, nothing is searched. */
  readonly problems: Readonly<Record<string, string>>;
};

/** The filters of a list as a page sends them to a command. */
export const listValuesSchema = z.record(z.string().max(20), z.string().max(1_100));

/** The parameters of a time range, the same for every list. */
const timeNames = ["since", "from", "to"] as const;

/**
 * Parses the filters in a URL, which a user may have typed. Times without a zone are UTC. `since`
 * is a duration that counts back from now, or `between` for `from` and `to`.
 *
 * @param names the list's filters, without those of time
 * @param schema of the API's query: one schema for both
 */
export function readListQuery<Name extends string, Schema extends z.ZodType<object>>(
  params: SearchParams,
  {
    names,
    schema,
    nowMs,
  }: { readonly names: readonly Name[]; readonly schema: Schema; readonly nowMs: number },
): ListQuery<Name | (typeof timeNames)[number], Omit<z.output<Schema>, "limit" | "cursor">> {
  const times = Object.fromEntries(timeNames.map((name) => [name, firstValue(params[name])]));
  const { since = "", from = "", to = "" } = times;
  const others = Object.fromEntries(names.map((name) => [name, firstValue(params[name])]));
  const values = { ...others, since, from, to } as Record<
    Name | (typeof timeNames)[number],
    string
  >;
  const isBetween = since === "between";
  const spanMs = spans.get(since);
  const start = spanMs === undefined ? "" : new Date(nowMs - spanMs).toISOString();
  const range = isBetween ? { from: asUtc(from), to: asUtc(to) } : { from: start, to: "" };
  const given = Object.entries({ ...others, ...range }).filter(([, value]) => value !== "");
  const asked = Object.fromEntries(given);
  const parsed = schema.safeParse(asked);
  const cursor = firstValue(params.cursor);
  const trail = firstValue(params.trail)
    .split(".")
    .filter((step) => step !== "");
  const shared = { values, asked, cursor: cursor === "" ? undefined : cursor, trail };
  type Filter = Omit<z.output<Schema>, "limit" | "cursor">;
  if (!parsed.success) {
    const problems = Object.fromEntries(
      parsed.error.issues.toReversed().map(({ path, message }) => [path.join("."), message]),
    );
    return { ...shared, filter: {} as Filter, problems };
  }
  const {
    limit: _limit,
    cursor: _cursor,
    ...filter
  } = parsed.data as z.output<Schema> & Record<string, unknown>;
  return { ...shared, filter: filter as Filter, problems: {} };
}

const hourMs = 3_600_000;
const spans: ReadonlyMap<string, number> = new Map([
  ["1h", hourMs],
  ["24h", 24 * hourMs],
  ["7d", 7 * 24 * hourMs],
  ["30d", 30 * 24 * hourMs],
]);

/** The value of a parameter, the first if it has several. Empty: it has none. */
export function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** The number of steps back; further back leads to the newest page. */
const maxSteps = 40;

type Place = Pick<ListQuery<string, unknown>, "values" | "cursor" | "trail">;

/** The neighboring pages. Keys only lead to older items, so the way back is in the URL too. */
export function pageLinks(
  path: string,
  { values, cursor, trail }: Place,
  nextCursor: string | null,
) {
  const link = (to: string | undefined, steps: readonly string[]) => {
    const params = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
    if (to !== undefined) params.set("cursor", to);
    if (steps.length > 0) params.set("trail", steps.join("."));
    return params.size === 0 ? path : `${path}?${params}`;
  };
  const stepsOn = cursor === undefined ? [] : [...trail, cursor].slice(-maxSteps);
  return {
    older: nextCursor === null ? null : link(nextCursor, stepsOn),
    newer: cursor === undefined ? null : link(trail.at(-1), trail.slice(0, -1)),
    newest: cursor === undefined ? null : link(undefined, []),
  };
}
