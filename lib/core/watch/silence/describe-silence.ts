import { capitalize } from "#lib/base/capitalize.ts";
import { errorTable } from "#lib/base/errors.ts";
import { toErrorCode } from "#lib/core/verify/rejection-code.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import { minuteMs, type Timeline } from "./timeline.ts";

const weekHours = 168;

/** The deliveries of the same hour in earlier weeks: `12–40 an hour`. Null: none came at this hour. */
export function describeHour(timeline: Timeline, atMs: number): string | null {
  const counts = listCounts(timeline, Math.floor(atMs / minuteMs)).toSorted((a, b) => a - b);
  const [low, high] = [counts[0] ?? 0, counts.at(-1) ?? 0];
  if (high === 0) return null;
  return low === high ? `${format(low)} an hour` : `${format(low)}–${format(high)} an hour`;
}

type Usual = {
  readonly perHour: number;
  /** When: `on Sundays from 11:00 to 15:00 UTC`. Null: in any hour. */
  readonly hours: string | null;
  /** The same in each earlier week, newest first. Empty: in any hour. */
  readonly earlierWeeks: readonly number[];
};

/**
 * Deliveries per hour in earlier weeks: in the hours of this silence, or if those have less than one,
 * in any. Null: no delivery is known.
 */
export function measureUsual(timeline: Timeline, sinceMs: number, untilMs: number): Usual | null {
  const { hourly } = timeline;
  const first = hourly.findIndex((count) => count > 0);
  if (first === -1) return null;
  const hours: (readonly number[])[] = [];
  const [from, until] = [Math.floor(sinceMs / minuteMs), Math.floor(untilMs / minuteMs)];
  for (let minute = from; minute < until && hours.length < weekHours; minute += 60) {
    const counts = listCounts(timeline, minute);
    if (counts.length > 0) hours.push(counts);
  }
  const perHour = average(hours.map(average));
  if (perHour < 1)
    return { perHour: sum([...hourly]) / (hourly.length - first), hours: null, earlierWeeks: [] };
  const weeks = Math.min(...hours.map(({ length }) => length));
  const earlierWeeks = Array.from({ length: weeks }, (_, week) =>
    average(hours.map((counts) => counts[week] ?? 0)),
  );
  return { perHour, hours: nameHours(sinceMs, hours.length), earlierWeeks };
}

/** In UTC: messages don't know the reader's time zone. */
function nameHours(sinceMs: number, count: number): string {
  const start = new Date(sinceMs);
  const first = start.getUTCHours();
  if (first + count > 24) return "at this time of the week";
  const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
  return `on ${weekdays[start.getUTCDay()]}s from ${clock(first)} to ${clock(first + count)} UTC`;
}

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** The counts of the same hour in earlier weeks, from the first delivery on. */
function listCounts({ firstMinute, hourly }: Timeline, minute: number): number[] {
  const first = hourly.findIndex((count) => count > 0);
  const counts: number[] = [];
  if (first === -1) return counts;
  const hour = Math.floor((minute - firstMinute) / 60);
  for (let at = hour - weekHours; at >= first; at -= weekHours) counts.push(hourly[at] ?? 0);
  return counts;
}

type SilenceFacts = {
  readonly durationMs: number;
  /** The expected deliveries per hour, or one in so many minutes. Null: not known. */
  readonly usual: Pick<Usual, "perHour" | "hours"> | { readonly everyMinutes: number } | null;
  /** Reasons of deliveries that were rejected meanwhile, most frequent first. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
  /** True if rejected deliveries are counted only up to a limit. */
  readonly isMore: boolean;
};

/** `Usually about 40 an hour on Sundays from 11:00 to 14:00 UTC, nothing for 3 hours` */
export function describeSilence({ durationMs, usual, rejected, isMore }: SilenceFacts): string {
  const what = rejected.length === 0 ? "nothing" : "only rejected deliveries";
  const reasons = rejected.length === 0 ? "" : `: ${listReasons(rejected, isMore)}`;
  const silence = `${what} for ${describeSpan(durationMs / 1_000)}${reasons}`;
  if (usual === null) return capitalize(silence);
  if ("everyMinutes" in usual)
    return `Expected at least one every ${describeSpan(usual.everyMinutes * 60).replace(/^1 /, "")}, ${silence}`;
  return `Usually about ${describeRate(usual)}, ${silence}`;
}

function describeRate({ perHour, hours }: Pick<Usual, "perHour" | "hours">): string {
  if (perHour >= 1)
    return `${format(Math.round(perHour))} an hour${hours === null ? "" : ` ${hours}`}`;
  const perDay = perHour * 24;
  if (perDay >= 1) return `${format(Math.round(perDay))} a day`;
  const days = Math.round(1 / perDay);
  return days === 1 ? "one a day" : `one every ${days} days`;
}

/** `205 with 401 (Invalid signature)`, by the response that the provider got. */
function listReasons(rejected: SilenceFacts["rejected"], isMore: boolean): string {
  const byCode = new Map<string, number>();
  for (const { reason, count } of rejected) {
    const code = toErrorCode(reason);
    const text = code === null ? reason : `${errorTable[code].status} (${errorTable[code].title})`;
    byCode.set(text, (byCode.get(text) ?? 0) + count);
  }
  return [...byCode]
    .map(([text, count]) => `${isMore ? "more than " : ""}${format(count)} with ${text}`)
    .join(", ");
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
