import { type DateParts, toInstant } from "./date-parts.ts";
import { ambiguous, noDate, notDate, type ReadDate } from "./date-problem.ts";
import { ExactNumber } from "./json-value.ts";
import { readIsoDate } from "./read-iso-date.ts";
import { readNamedMonth } from "./read-named-month.ts";
import { isNumeric, readUnixTime } from "./read-unix-time.ts";

/**
 * The one reader of dates in deliveries, for templates, filters, and delays. An instant in Unix milliseconds: what
 * has no offset is UTC, parts of a millisecond are cut off. What can be read in two ways is refused, with the way
 * out, because a wrong date is worse than none.
 */
export function readDate(value: unknown): ReadDate {
  if (typeof value === "number" || value instanceof ExactNumber) return readUnixTime(value);
  if (typeof value !== "string") return notDate;
  // No date is longer, and matching takes time.
  if (value.length > maxChars) return notDate;
  const text = value.trim().replace(/\s+/g, " ");
  if (text === "") return empty;
  if (isNumeric(text)) return readUnixTime(text);
  const ofDotNet = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/.exec(text)?.[1];
  // These are always milliseconds. An offset only says where they were written.
  if (ofDotNet !== undefined) return checkRange(Number(ofDotNet));
  const { rest, zone } = splitZone(text);
  if (rest === null) return notDate;
  const parts = readIsoDate(rest) ?? readNamedMonth(rest);
  return parts === null ? explain(rest) : withZone(parts, zone);
}

/**
 * Like `readDate`, for a date that a user writes, which can also be relative: `now`, `7 days ago`, `in 2 hours`.
 */
export function readWrittenDate(value: unknown, nowMs: number): ReadDate {
  const distanceMs = typeof value === "string" ? readDistance(value.trim()) : undefined;
  return distanceMs === undefined ? readDate(value) : { ok: true, ms: nowMs + distanceMs };
}

/** The time from now to a relative date, in milliseconds. Undefined: it isn't relative. */
export function readDistance(text: string): number | undefined {
  if (/^now$/i.test(text)) return 0;
  const match = /^(?:in (\d{1,6}) ([a-z]+)|(\d{1,6}) ([a-z]+) ago)$/i.exec(text);
  if (match === null) return undefined;
  const [, ahead, aheadUnit = "", back = "0", backUnit = ""] = match;
  const unitMs = unitsMs.get((aheadUnit || backUnit).toLowerCase().replace(/s$/, ""));
  if (unitMs === undefined) return undefined;
  return (ahead === undefined ? -Number(back) : Number(ahead)) * unitMs;
}

const unitsMs: ReadonlyMap<string, number> = new Map([
  ["second", 1_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
]);

const empty = noDate("which is empty", "say what counts instead, such as with default");

const maxChars = 200;
const maxMs = 8.64e15;

function checkRange(ms: number): ReadDate {
  return Math.abs(ms) <= maxMs ? { ok: true, ms } : notDate;
}

/**
 * RFC 9557 and Java put a zone into brackets after the time: `[Europe/Berlin]`. Other brackets name a calendar,
 * which changes nothing unless it has a `!`.
 */
function splitZone(text: string): {
  readonly rest: string | null;
  readonly zone: string | undefined;
} {
  const match =
    /^([^[\]]+?) ?\[!?([A-Za-z0-9_+:/-]{1,64})\]((?:\[[a-z0-9-]+=[A-Za-z0-9-]+\])*)$/.exec(text);
  if (match !== null) return { rest: match[1] ?? null, zone: match[2] };
  const tagged = /^([^[\]]+)(?:\[[a-z0-9-]+=[A-Za-z0-9-]+\])+$/.exec(text);
  return { rest: tagged?.[1] ?? (/[[\]]/.test(text) ? null : text), zone: undefined };
}

function withZone(parts: DateParts, zone: string | undefined): ReadDate {
  return toInstant(zone === undefined ? parts : { ...parts, zone });
}

function explain(text: string): ReadDate {
  if (
    /^\d{1,2}([-/. ])\d{1,2}\1\d{2,4}\b/.test(text) ||
    /\b\d{1,2}([-/.])\d{1,2}\1\d{2,4}$/.test(text)
  )
    return ambiguous;
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)? \d{2}:?\d{2}$/.test(text))
    return lostPlus;
  return notDate;
}

const lostPlus = noDate(
  "whose offset has lost its sign, as a + does in a form",
  "have it sent with %2B, or bring it to a form such as 2026-11-21T10:00:00+01:00 first",
);
