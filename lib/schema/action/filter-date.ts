import { ExactNumber } from "#lib/schema/field/json-value.ts";

/**
 * An instant in a delivery, in Unix milliseconds: ISO 8601 or RFC 3339 text (UTC if it has no
 * offset), or Unix seconds or milliseconds. Numeric text needs at least 9 digits, because "2026"
 * and "20261121" aren't Unix times. Undefined: not a date.
 */
export function readInstant(value: unknown): number | undefined {
  if (typeof value === "number") return readUnix(value);
  if (value instanceof ExactNumber) return readUnix(value.valueOf());
  if (typeof value !== "string" || value.length > maxDateChars) return undefined;
  return /^-?\d{9,14}(?:\.\d+)?$/.test(value) ? readUnix(Number(value)) : readIso(value);
}

/**
 * Like `readInstant`, for a filter's own date, which may also be relative: `now`, `7 days ago`, `in
 * 2 hours`.
 */
export function readFilterDate(value: unknown, nowMs: number): number | undefined {
  const distanceMs = typeof value === "string" ? readDistance(value) : undefined;
  return distanceMs === undefined ? readInstant(value) : nowMs + distanceMs;
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

const maxDateChars = 64;

/** Smaller numbers are seconds (until the year 5138). Others are milliseconds (from 1973). */
const leastUnixMs = 1e11;
const maxUnixMs = 1e14;

/** Unix seconds or milliseconds, in milliseconds. Undefined: neither, such as microseconds. */
export function readUnix(time: number): number | undefined {
  const size = Math.abs(time);
  if (!(size < maxUnixMs)) return undefined;
  return Math.round(size < leastUnixMs ? time * 1_000 : time);
}

const isoDate =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(\d{2}))(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?)?$/;

function readIso(text: string): number | undefined {
  const match = isoDate.exec(text);
  if (match === null) return undefined;
  const [, day = "", ofMonth, time = "00:00", seconds = "0", fraction = "0", sign, hours, minutes] =
    match;
  const startMs = Date.parse(`${day}T00:00:00Z`);
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(startMs) || new Date(startMs).getUTCDate() !== Number(ofMonth)) return undefined;
  const offsetMs = toMs(hours, minutes) * (sign === "-" ? -1 : 1);
  const [hour, minute] = time.split(":");
  const secondsMs = Math.round(Number(`${seconds}.${fraction}`) * 1_000);
  return startMs + toMs(hour, minute) + secondsMs - offsetMs;
}

function toMs(hours = "0", minutes = "0"): number {
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}
