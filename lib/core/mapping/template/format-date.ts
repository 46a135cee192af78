import { toIsoWeek, toYearDay } from "#lib/schema/field/calendar.ts";
import { findOffset } from "#lib/schema/field/time-zone.ts";

/**
 * Writes a time by a format of `strftime`, as Ruby's, with English names. The same on every machine, whatever its
 * language and zone.
 *
 * @param zone a zone of the tz database, or minutes west of UTC. Undefined: UTC
 */
export function formatDate(ms: number, format: string, zone?: string | number): string {
  const time = toLocal(ms, zone);
  return format.replace(directive, (...match) => write(time, readDirective(match)));
}

/** The reason why a format can't be used, as a clause. Null: it can. */
export function findFormatProblem(format: string): string | null {
  if (format === "") return "a date format must not be empty";
  if (format.length > maxFormatChars)
    return `a date format has at most ${maxFormatChars} characters`;
  for (const match of format.matchAll(directive)) {
    const { code, colons, width } = readDirective(match);
    const text = match[0];
    if (code === "") return "a date format ends with %: write %% for a percent sign";
    if (!(code in codes) || (colons > 0 && code !== "z"))
      return `${text} is not a date code: ${advice}`;
    if (width > maxWidth) return `${text} is too wide: at most ${maxWidth}`;
  }
  return null;
}

/** The reason why there is no such zone, as a clause. Null: there is. */
export function findZoneProblem(zone: string | number): string | null {
  if (typeof zone === "number")
    return Math.abs(zone) < 1_440 ? null : "a date's offset has less than 1,440 minutes";
  return findOffset(zone, 0) === undefined
    ? `${JSON.stringify(zone.slice(0, 40))} is not a time zone: use a name such as Europe/Berlin`
    : null;
}

const advice = "use those of strftime, such as %Y-%m-%d, and %% for a percent sign";
const maxFormatChars = 200;
const maxWidth = 100;

/** `%-d`, `%^a`, `%:z`, `%3N`, `%Ey`. */
const directive = /%([-_0^#]*)(:{0,2})([-_0^#]*)(\d*)[EO]?([\s\S]?)/g;

type Directive = {
  readonly flags: string;
  readonly colons: number;
  /** 0: the usual one. */
  readonly width: number;
  readonly code: string;
};

function readDirective([, before, colons, after, width, code]: readonly string[]): Directive {
  return {
    flags: `${before}${after}`,
    colons: colons?.length ?? 0,
    width: Number(width),
    code: code ?? "",
  };
}

/** A time as the clocks of a zone show it. */
type Local = {
  readonly ms: number;
  /** The time of the clocks, as if it were UTC. */
  readonly clock: Date;
  readonly offsetMinutes: number;
  readonly zone: string | undefined;
};

function toLocal(ms: number, zone: string | number | undefined): Local {
  const offset = typeof zone === "string" ? (findOffset(zone, ms) ?? 0) : -(zone ?? 0) * 60_000;
  return {
    ms,
    clock: new Date(ms + offset),
    offsetMinutes: offset / 60_000,
    zone: typeof zone === "string" ? zone : undefined,
  };
}

type Code = {
  readonly read: (time: Local, directive: Directive) => string | number;
  readonly width?: number;
  readonly pad?: " ";
};

const number = (read: (clock: Date) => number, width = 2): Code => ({
  read: ({ clock }) => read(clock),
  width,
});
const text = (read: (clock: Date) => string): Code => ({
  read: ({ clock }) => read(clock),
  pad: " ",
});
const combined = (format: string): Code => ({
  read: (time) => format.replace(directive, (...match) => write(time, readDirective(match))),
  pad: " ",
});

const hour12 = (clock: Date) => clock.getUTCHours() % 12 || 12;
const shorten = (name: string | undefined) => name?.slice(0, 3) ?? "";
const dayName = (clock: Date) => dayNames[clock.getUTCDay()] ?? "";
const monthName = (clock: Date) => monthNames[clock.getUTCMonth()] ?? "";
const half = (clock: Date) => (clock.getUTCHours() < 12 ? "AM" : "PM");

const codes: Readonly<Record<string, Code>> = {
  ...{ Y: number((clock) => clock.getUTCFullYear(), 4) },
  ...{ C: number((clock) => Math.floor(clock.getUTCFullYear() / 100)) },
  ...{ y: number((clock) => ((clock.getUTCFullYear() % 100) + 100) % 100) },
  ...{ m: number((clock) => clock.getUTCMonth() + 1), B: text(monthName) },
  ...{
    b: text((clock) => shorten(monthName(clock))),
    h: text((clock) => shorten(monthName(clock))),
  },
  ...{ d: number((clock) => clock.getUTCDate()) },
  ...{ e: { ...number((clock) => clock.getUTCDate()), pad: " " } },
  ...{ j: number((clock) => toYearDay(clock.getTime()), 3) },
  ...{ q: text((clock) => toOrdinal(clock.getUTCDate())) },
  ...{ H: number((clock) => clock.getUTCHours()), I: number(hour12) },
  ...{
    k: { ...number((clock) => clock.getUTCHours()), pad: " " },
    l: { ...number(hour12), pad: " " },
  },
  ...{ M: number((clock) => clock.getUTCMinutes()), S: number((clock) => clock.getUTCSeconds()) },
  ...{ L: { read: (time, { width }) => writeFraction(time, width || 3) } },
  ...{ N: { read: (time, { width }) => writeFraction(time, width || 9) } },
  ...{ p: text(half), P: text((clock) => half(clock).toLowerCase()) },
  ...{ z: { read: ({ offsetMinutes }, { colons }) => writeOffset(offsetMinutes, colons) } },
  ...{ Z: { read: ({ zone, offsetMinutes }) => zone ?? writeOffset(offsetMinutes, 0) } },
  ...{ A: text(dayName), a: text((clock) => shorten(dayName(clock))) },
  ...{
    u: number((clock) => clock.getUTCDay() || 7, 0),
    w: number((clock) => clock.getUTCDay(), 0),
  },
  ...{ G: number((clock) => toIsoWeek(clock.getTime()).year, 4) },
  ...{ g: number((clock) => toIsoWeek(clock.getTime()).year % 100) },
  ...{ V: number((clock) => toIsoWeek(clock.getTime()).week) },
  ...{ U: number((clock) => weekFrom(clock, 0)), W: number((clock) => weekFrom(clock, 1)) },
  ...{ s: { read: ({ ms }) => Math.floor(ms / 1_000) }, Q: { read: ({ ms }) => ms } },
  ...{ "%": { read: () => "%" }, n: { read: () => "\n" }, t: { read: () => "\t" } },
  ...{ F: combined("%Y-%m-%d"), T: combined("%H:%M:%S"), D: combined("%m/%d/%y") },
  ...{ R: combined("%H:%M"), r: combined("%I:%M:%S %p"), v: combined("%e-%^b-%Y") },
  // As liquidjs writes them in English.
  ...{
    c: combined("%-m/%-d/%Y, %-I:%M:%S %p"),
    x: combined("%-m/%-d/%Y"),
    X: combined("%-I:%M:%S %p"),
  },
  "+": combined("%a %b %e %H:%M:%S %Z %Y"),
};

function write(time: Local, directive: Directive): string {
  const code = codes[directive.code];
  if (code === undefined) return "";
  const { flags } = directive;
  const isFraction = "LN".includes(directive.code);
  const read = changeCase(String(code.read(time, directive)), flags);
  const width = flags.includes("-") || isFraction ? 0 : directive.width || (code.width ?? 0);
  const pad = flags.includes("_") ? " " : flags.includes("0") ? "0" : (code.pad ?? "0");
  if (pad === "0" && read.startsWith("-")) return `-${read.slice(1).padStart(width - 1, pad)}`;
  return read.padStart(width, pad);
}

function changeCase(written: string, flags: string): string {
  if (flags.includes("^")) return written.toUpperCase();
  if (!flags.includes("#")) return written;
  return /[a-z]/.test(written) ? written.toUpperCase() : written.toLowerCase();
}

/** Below milliseconds, nothing is known. */
function writeFraction({ clock }: Local, digits: number): string {
  return String(clock.getUTCMilliseconds()).padStart(3, "0").padEnd(digits, "0").slice(0, digits);
}

function writeOffset(minutes: number, colons: number): string {
  const size = Math.round(Math.abs(minutes) * 60);
  const parts = [Math.floor(size / 3_600), Math.floor(size / 60) % 60, size % 60];
  const shown = parts.slice(0, colons === 2 ? 3 : 2).map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${shown.join(colons > 0 ? ":" : "")}`;
}

/** The number of the week, of which the first begins with the first Sunday (0) or Monday (1) of the year. */
function weekFrom(clock: Date, start: 0 | 1): number {
  const sinceStart = (clock.getUTCDay() - start + 7) % 7;
  return Math.floor((toYearDay(clock.getTime()) - 1 - sinceStart + 7) / 7);
}

export function toOrdinal(day: number): string {
  if (day > 10 && day < 14) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
