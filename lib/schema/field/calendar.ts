/** A day that the sender names. */
export type Day =
  | { readonly kind: "month"; readonly year: number; readonly month: number; readonly day: number }
  /** ISO 8601: a day of a week, from 1 for Monday. */
  | { readonly kind: "week"; readonly year: number; readonly week: number; readonly day: number }
  /** A day of the year, from 1. */
  | { readonly kind: "year"; readonly year: number; readonly day: number };

const dayMs = 86_400_000;

/** Midnight UTC of a day in Unix milliseconds. Undefined: the calendar has no such day, such as February 30. */
export function toMidnight(day: Day): number | undefined {
  switch (day.kind) {
    case "month":
      return toMidnightOf(day.year, day.month, day.day);
    case "year":
      return toDayOfYear(day.year, day.day);
    case "week":
      return toDayOfWeek(day.year, day.week, day.day);
    default:
      return day satisfies never;
  }
}

function toMidnightOf(year: number, month: number, day: number): number | undefined {
  // `Date.UTC` takes the years 0 to 99 as 1900 to 1999, and February 30 as March 2.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function toDayOfYear(year: number, day: number): number | undefined {
  const ms = startOfYear(year) + (day - 1) * dayMs;
  return day > 0 && ms < startOfYear(year + 1) ? ms : undefined;
}

/** The first week of a year is the one with January 4. */
function toDayOfWeek(year: number, week: number, day: number): number | undefined {
  if (week < 1 || day < 1 || day > 7) return undefined;
  const monday = mondayOf(startOfYear(year) + 3 * dayMs) + (week - 1) * 7 * dayMs;
  return monday < mondayOf(startOfYear(year + 1) + 3 * dayMs)
    ? monday + (day - 1) * dayMs
    : undefined;
}

function startOfYear(year: number): number {
  return toMidnightOf(year, 1, 1) ?? Number.NaN;
}

function mondayOf(ms: number): number {
  return ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs;
}

/** The year and the number of the ISO week of a day. */
export function toIsoWeek(ms: number): { readonly year: number; readonly week: number } {
  const monday = mondayOf(ms);
  const year = new Date(monday + 3 * dayMs).getUTCFullYear();
  const first = mondayOf(startOfYear(year) + 3 * dayMs);
  return { year, week: Math.round((monday - first) / (7 * dayMs)) + 1 };
}

/** The day of the year, from 1. */
export function toYearDay(ms: number): number {
  return Math.floor((ms - startOfYear(new Date(ms).getUTCFullYear())) / dayMs) + 1;
}
