import { type Day, toMidnight } from "./calendar.ts";
import { type DateProblem, noDate, noSuchTime, type ReadDate } from "./date-problem.ts";
import { findInstants, findOffset } from "./time-zone.ts";

/** The parts of a time in a text. */
export type DateParts = {
  readonly day: Day;
  /** The day of the week, from 0 for Sunday. */
  readonly weekday?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The offset from UTC, as a name, or as written. Undefined: none, which is UTC. */
  readonly offset?: string | undefined;
  /** A zone in brackets, such as Europe/Berlin. */
  readonly zone?: string | undefined;
};

type Clock = {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** The digits after the point. */
  readonly fraction: string;
  readonly half?: "a" | "p" | undefined;
};

export type ClockDigits = {
  readonly hour: string;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly fraction?: string | undefined;
  /** AM or PM. */
  readonly half?: string | undefined;
};

export function toClock({
  hour,
  minute = "0",
  second = "0",
  fraction = "",
  half,
}: ClockDigits): Clock {
  return {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction,
    half: half === undefined || half === "" ? undefined : /^a/i.test(half) ? "a" : "p",
  };
}

/** The instant of a text's parts, if they agree and there is such a time. */
export function toInstant({ day, weekday, clock, offset, zone }: DateParts): ReadDate {
  const midnight = toMidnight(day);
  const sinceMidnight = clock === undefined ? 0 : toMsOfDay(clock);
  if (midnight === undefined || sinceMidnight === undefined) return noSuchTime;
  if (weekday !== undefined && new Date(midnight).getUTCDay() !== weekday) return otherWeekday;
  const localMs = midnight + sinceMidnight;
  const read = placeInZone(localMs, offset, zone);
  // UTC has leap seconds at 23:59:60. They count as the second after them, as on every computer.
  const isLeap = clock?.second === 60;
  if (read.ok && isLeap && Math.floor(read.ms / 1_000) % 86_400 !== 0) return noSuchTime;
  return read;
}

const otherWeekday = noDate(
  "which has the wrong day of the week for its date",
  "correct it where it is sent, or remove the day of the week first",
);

/** Undefined: no such time. 24:00 is the end of the day. */
function toMsOfDay({ hour, minute, second, fraction, half }: Clock): number | undefined {
  const hours = half === undefined ? hour : toHours(hour, half);
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  if (hours === undefined || hours > 24 || minute > 59 || second > 60) return undefined;
  if (hours === 24 && (minute > 0 || second > 0 || ms > 0)) return undefined;
  return ((hours * 60 + minute) * 60 + second) * 1_000 + ms;
}

function toHours(hour: number, half: "a" | "p"): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "p" ? 12 : 0);
}

function placeInZone(
  localMs: number,
  offset: string | undefined,
  zone: string | undefined,
): ReadDate {
  const offsetMs = offset === undefined ? undefined : readOffset(offset);
  if (typeof offsetMs === "object") return offsetMs;
  if (zone === undefined) return { ok: true, ms: localMs - (offsetMs ?? 0) };
  const zoneOffset = readOffset(zone);
  if (typeof zoneOffset === "number") {
    const isSame = offsetMs === undefined || offsetMs === zoneOffset;
    return isSame ? { ok: true, ms: localMs - zoneOffset } : notThisOffset;
  }
  const found = zone.includes("/") ? findInstants(zone, localMs) : undefined;
  if (found === undefined) return unknownZone(zone);
  // Z says the instant, and not which offset the zone has.
  if (offsetMs !== undefined && /^z$/i.test(offset ?? "")) return { ok: true, ms: localMs };
  if (offsetMs !== undefined) {
    const ms = localMs - offsetMs;
    return findOffset(zone, ms) === offsetMs ? { ok: true, ms } : notThisOffset;
  }
  const [ms, other] = found;
  if (ms === undefined) return noSuchTime;
  return other === undefined ? { ok: true, ms } : twoTimes;
}

const notThisOffset = noDate(
  "whose offset is not that of its zone",
  "correct it where it is sent, or remove one of them first",
);
const twoTimes = noDate(
  "which comes twice, because clocks are set back",
  "send it with an offset such as +01:00",
);

function unknownZone(zone: string): DateProblem {
  return noDate(
    `whose zone ${zone.slice(0, 20)} is not a known one`,
    "use an offset such as +01:00 instead, or UTC",
  );
}

/** The names that RFC 5322 §4.3 gives a meaning, in hours. Others, such as CST in China, have several. */
const namedOffsets: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0 },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/** An offset such as `+01:00`, `GMT+1`, or `EST`, in milliseconds. */
function readOffset(text: string): number | DateProblem {
  const named = namedOffsets[text.toUpperCase()];
  if (named !== undefined) return named * 3_600_000;
  const match = /^(?:GMT|UTC|UT)?([+\u2212-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/i.exec(text);
  if (match === null) return unknownZone(text);
  const [, sign, ...parts] = match;
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return unknownZone(text);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 * (sign === "+" ? 1 : -1) || 0;
}
