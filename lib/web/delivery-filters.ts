import type { DeliveryFilter } from "#lib/db/list-deliveries.ts";
import { deliveryQuerySchema } from "#lib/schema/delivery.ts";

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** What the form shows, as it stands in the address. */
export type FilterValues = Readonly<Record<(typeof filterNames)[number], string>>;

export type DeliveryQuery = {
  readonly values: FilterValues;
  readonly filter: DeliveryFilter;
  readonly cursor: string | undefined;
  /** The cursors of the pages before this one, oldest step last. */
  readonly trail: readonly string[];
  /** By field; then nothing is looked for. */
  readonly problems: Readonly<Record<string, string>>;
};

const filterNames = ["status", "eventType", "eventId", "q", "since", "from", "to"] as const;

/** Filters as they stand in an address that somebody may have typed. Times without a zone are UTC. */
export function readDeliveryQuery(params: SearchParams, nowMs: number): DeliveryQuery {
  const values = Object.fromEntries(filterNames.map((name) => [name, first(params[name])])) as FilterValues;
  const { since, from, to, ...others } = values;
  const isBetween = since === "between";
  const asked = { ...others, from: isBetween ? toUtc(from) : "", to: isBetween ? toUtc(to) : "" };
  const parsed = deliveryQuerySchema.safeParse(
    Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")),
  );
  const cursor = first(params.cursor);
  const trail = first(params.trail)
    .split(".")
    .filter((step) => step !== "");
  const shared = { values, cursor: cursor === "" ? undefined : cursor, trail };
  if (!parsed.success) {
    const problems = Object.fromEntries(
      parsed.error.issues.toReversed().map(({ path, message }) => [path.join("."), message]),
    );
    return { ...shared, filter: {}, problems };
  }
  const { limit: _limit, cursor: _cursor, ...filter } = parsed.data;
  const spanMs = spans.get(since);
  return {
    ...shared,
    filter: spanMs === undefined ? filter : { ...filter, from: nowMs - spanMs },
    problems: {},
  };
}

const hourMs = 3_600_000;
const spans: ReadonlyMap<string, number> = new Map([
  ["1h", hourMs],
  ["24h", 24 * hourMs],
  ["7d", 7 * 24 * hourMs],
  ["30d", 30 * 24 * hourMs],
]);

function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** A browser's field for a time writes `2026-11-21T08:00`. */
function toUtc(time: string): string {
  return /T\d{2}:\d{2}(:\d{2})?$/.test(time) ? `${time}Z` : time;
}

/** So many steps back; further back leads to the newest. */
const mostSteps = 40;

/** Where the neighbouring pages are. Keys only lead to older ones, so the way back stands in the address too. */
export function pageLinks(path: string, query: DeliveryQuery, nextCursor: string | null) {
  const { values, cursor, trail } = query;
  const link = (to: string | undefined, steps: readonly string[]) => {
    const params = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
    if (to !== undefined) params.set("cursor", to);
    if (steps.length > 0) params.set("trail", steps.join("."));
    return params.size === 0 ? path : `${path}?${params}`;
  };
  const stepsOn = cursor === undefined ? [] : [...trail, cursor].slice(-mostSteps);
  return {
    older: nextCursor === null ? null : link(nextCursor, stepsOn),
    newer: cursor === undefined ? null : link(trail.at(-1), trail.slice(0, -1)),
    newest: cursor === undefined ? null : link(undefined, []),
  };
}
