import type { Day } from "./calendar.ts";
import { type DateParts, toClock } from "./date-parts.ts";

/**
 * A date that begins with its year, as in ISO 8601, RFC 3339, and what languages and databases print: `2026-11-21`,
 * `2026-11-21 10:00:00.123+00`, `20261121T100000Z`, `2026/11/21`, `2026-W47-6`, `2026-325`. Null: another form.
 */
export function readIsoDate(text: string): DateParts | null {
  for (const { pattern, toDay, isBasic } of dayForms) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const rest = text.slice(found[0].length);
    const parts = rest === "" ? {} : readTime(rest, isBasic);
    return parts === null ? null : { day: toDay(found.slice(1).map(Number)), ...parts };
  }
  return null;
}

type DayForm = {
  readonly pattern: RegExp;
  readonly toDay: (numbers: readonly number[]) => Day;
  /** The time can follow without a T. */
  readonly isBasic: boolean;
};

const dayForms: readonly DayForm[] = [
  {
    pattern: /^(\d{4})([-/.:])(\d{1,2})\2(\d{1,2})(?!\d)/,
    toDay: ([year = 0, , month = 0, day = 0]) => ({ kind: "month", year, month, day }),
    isBasic: false,
  },
  {
    pattern: /^(\d{4})-?W(\d{2})-?(\d)(?!\d)/i,
    toDay: ([year = 0, week = 0, day = 0]) => ({ kind: "week", year, week, day }),
    isBasic: false,
  },
  {
    pattern: /^(\d{4})-(\d{3})(?!\d)/,
    toDay: ([year = 0, day = 0]) => ({ kind: "year", year, day }),
    isBasic: false,
  },
  {
    pattern: /^(\d{4})(\d{2})(\d{2})(?=\D|\d{4})/,
    toDay: ([year = 0, month = 0, day = 0]) => ({ kind: "month", year, month, day }),
    isBasic: true,
  },
];

const numeric = "(?:GMT|UTC|UT)?[+\\u2212-]\\d{1,2}(?::?\\d{2}(?::?\\d{2})?)?";
const colons = "(?<h1>\\d{1,2}):(?<m1>\\d{2})(?::(?<s1>\\d{2})(?:[.,](?<f1>\\d+))?)?";
const digits = "(?<h2>\\d{2})(?:(?<m2>\\d{2})(?:(?<s2>\\d{2})(?:[.,](?<f2>\\d+))?)?)?";
const time = `(?:${colons}|${digits})(?: ?(?<half>[AP])\\.?M\\.?)?`;
/** Go prints the name of the zone after its offset, and how long the program runs. */
const zone = `(?: ?(?<offset>${numeric})(?: [A-Z]{1,5})?(?: m=[+-][\\d.]+)?| ?(?<name>[A-Z]{1,5}))?`;

const afterDay = new RegExp(`^(?:T|[ _]+|, ?)${time}${zone}$`, "i");
/** `20261121100000Z`, as in certificates. */
const afterDigits = new RegExp(`^(?:T| +)?${time}${zone}$`, "i");
/** A day of XML Schema: `2026-11-21+01:00`. */
const dayOffset = /^ ?(?<offset>Z|[+\u2212-]\d{2}:\d{2})$/i;

function readTime(rest: string, isBasic: boolean): Omit<DateParts, "day"> | null {
  const ofDay = dayOffset.exec(rest)?.groups?.offset;
  if (ofDay !== undefined) return { offset: ofDay };
  const groups = (isBasic ? afterDigits : afterDay).exec(rest)?.groups;
  if (groups === undefined) return null;
  const { h1, m1, s1, f1, h2, m2, s2, f2, half } = groups;
  const clock =
    h1 === undefined
      ? { hour: h2 ?? "", minute: m2, second: s2, fraction: f2, half }
      : { hour: h1, minute: m1, second: s1, fraction: f1, half };
  return { clock: toClock(clock), offset: groups.offset ?? groups.name };
}
