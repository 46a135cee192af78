import { type IdSpan, idFloor, lastId } from "#lib/core/api/page.ts";

const weekMs = 7 * 86_400_000;
/** The first Monday, on which partitions start. 1970 started on a Thursday. */
const firstMondayMs = 4 * 86_400_000;

/** The start of the partition week of an instant, both in Unix milliseconds. */
export function startOfWeek(ms: number): number {
  return firstMondayMs + Math.floor((ms - firstMondayMs) / weekMs) * weekMs;
}

/** The bounds of the partitions that contain the ids of a span. */
export function toWeeks({ first, end }: IdSpan): {
  readonly firstWeek: string;
  readonly endWeek: string;
} {
  const toMs = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  return {
    firstWeek: idFloor(startOfWeek(toMs(first))),
    endWeek: end === lastId ? end : idFloor(startOfWeek(toMs(end)) + weekMs),
  };
}
