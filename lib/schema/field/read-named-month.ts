import { type ClockDigits, type DateParts, toClock } from "./date-parts.ts";

/**
 * A date whose month is an English name, in any order that leaves one meaning: of RFC 5322 (`Sat, 21 Nov 2026
 * 10:00:00 +0000`), RFC 850, asctime, access logs, JavaScript, Java, PayPal (`10:00:00 Nov 21, 2026 PST`), or in
 * words. Without an offset it is UTC. Null: another form.
 */
export function readNamedMonth(text: string): DateParts | null {
  if (!/[a-z]{3}/i.test(text)) return null;
  const words = text
    .replace(comment, "")
    .replace(dayFirst, "$1 $2 $3 ")
    .replace(monthFirst, "$1 $2 $3")
    // A comma can also be the point of a second.
    .replace(/,(?!\d)|(?<!:\d\d),/g, " ")
    .trim()
    .split(/\s+/);
  let found: Found = { last: "" };
  for (const word of words) {
    const next = readWord(word, found);
    if (next === null) return null;
    found = { ...found, ...next };
  }
  const { year, month, day, weekday, clock, half = clock?.half, offset } = found;
  if (year === undefined || month === undefined || day === undefined) return null;
  if (half !== undefined && clock === undefined) return null;
  return {
    day: { kind: "month", year, month, day },
    weekday,
    clock: clock === undefined ? undefined : toClock({ ...clock, half }),
    offset,
  };
}

/** Text in brackets after an offset only explains it. */
const comment = /(?<=[+-]\d{2}:?\d{2}|\b(?:GMT|UTC|Z)) ?\([^()]{0,100}\)$/i;
/** `21-Nov-26`, `2026-Nov-21`, `21/Nov/2026:10:00:00`, `21NOV2026`. */
const dayFirst = /\b(\d{1,4})[-/.]?([a-z]{3,9})[-/.]?(\d{1,4})\b(?::(?=\d\d:))?/i;
const monthFirst = /\b([a-z]{3,9})[-/.](\d{1,2})[-/.](\d{4})\b/i;

type Found = {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly weekday?: number;
  readonly clock?: ClockDigits;
  readonly half?: string;
  readonly offset?: string;
  readonly last: string;
};

const offsetForm = "(?:GMT|UTC|UT)?[+\\u2212-]\\d{1,2}(?::?\\d{2})?";
const clockForm = new RegExp(
  `^(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,:](?<fraction>\\d+))?)?` +
    `(?<half>[ap]\\.?m\\.?)?(?<offset>${offsetForm}|Z|GMT|UTC)?$`,
  "i",
);
const numericOffset = new RegExp(`^${offsetForm}$`, "i");

/** Null: the word has no place in a date, or has it twice. */
function readWord(word: string, found: Found): Partial<Found> | null {
  const groups = clockForm.exec(word)?.groups;
  if (groups !== undefined) {
    if (found.clock !== undefined) return null;
    const { hour = "", minute, second, fraction, half, offset } = groups;
    const clock = { hour, minute, second, fraction, half };
    return { clock, last: "clock", ...(offset !== undefined && { offset }) };
  }
  if (/^\d{4}$/.test(word))
    return found.year === undefined ? { year: Number(word), last: "year" } : null;
  const day = /^(\d{1,2})(?:st|nd|rd|th|\.)?$/i.exec(word)?.[1];
  if (day !== undefined) return readDayOrYear(day, found);
  if (numericOffset.test(word))
    return found.offset === undefined ? { offset: word, last: "offset" } : null;
  return readName(word.replace(/\.$/, "").toLowerCase(), found);
}

/** `21 Nov 26`: RFC 5322 §4.3 says the century. */
function readDayOrYear(digits: string, { day, year, last }: Found): Partial<Found> | null {
  const number = Number(digits);
  if (day === undefined) return { day: number, last: "day" };
  if (year !== undefined || last !== "month" || digits.length !== 2) return null;
  return { year: number < 50 ? 2000 + number : 1900 + number, last: "year" };
}

function readName(name: string, found: Found): Partial<Found> | null {
  if (/^[ap]\.?m$/.test(name))
    return found.half === undefined ? { half: name, last: "half" } : null;
  const month = months.findIndex(
    (each) => isName(name, each, 3) || (name === "sept" && each === "september"),
  );
  if (month >= 0) return found.month === undefined ? { month: month + 1, last: "month" } : null;
  const weekday = weekdays.findIndex((each) => isName(name, each, 3));
  if (weekday >= 0) return found.weekday === undefined ? { weekday, last: "weekday" } : null;
  if (/^(?:at|of|on|the)$/.test(name)) return {};
  // Go and others print the name of a zone after its offset.
  if (found.clock === undefined || !/^[a-z]{1,5}$/.test(name)) return null;
  if (found.offset === undefined) return { offset: name.toUpperCase(), last: "offset" };
  return /\d/.test(found.offset) ? {} : null;
}

/** True for the name in full, or its first letters. */
function isName(name: string, full: string, shortest: number): boolean {
  return name === full || (name.length === shortest && full.startsWith(name));
}

const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
