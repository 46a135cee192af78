import { type Day, toMidnight } from "./calendar.ts";
import { noDate, notDate, type ReadDate } from "./date-problem.ts";
import { ExactNumber } from "./json-value.ts";

/**
 * Reads a number as a time. Its length says the unit, because each unit has its own length from 1973 on: seconds
 * have 9 to 11 digits, milliseconds 12 to 14, microseconds 16, and nanoseconds 19. A number such as 20261121 or
 * 20261121100000 is a date in digits. What could be something else is refused: the day number of a spreadsheet
 * (46347), .NET ticks and Windows file times (18 digits).
 */
export function readUnixTime(value: number | ExactNumber | string): ReadDate {
  const text = value instanceof ExactNumber ? writePlainly(value) : String(value);
  const match = /^(-?)(0|[1-9]\d{0,19})(?:\.(\d+))?$/.exec(text);
  if (match === null) return notDate;
  const [, minus, whole = "", fraction = ""] = match;
  if (minus === "-" || whole === "0") return toMs(text, whole, fraction);
  const written = readDigits(whole, fraction);
  if (written === null) return toMs(text, whole, fraction);
  // From March to August 1976, milliseconds can look like 202611211000.
  return whole.length === 12 ? twoMeanings : { ok: true, ms: written };
}

/** True if the text is read as a number. */
export function isNumeric(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

const spreadsheet = noDate(
  "which is too small for a Unix time",
  "use a form such as 2026-11-21; the day number of a spreadsheet becomes a Unix time by minus: 25569 and times: 86400",
);
const noUnit = noDate(
  "which is not a Unix time in seconds, milliseconds, microseconds, or nanoseconds",
  "calculate one of them first",
);
const twoMeanings = noDate(
  "which can be a date in digits, or milliseconds since 1970",
  "use a form such as 2026-11-21T10:00:00Z",
);

/** The last second of the year 9999, which stands for "never". As milliseconds, it would be in 1978. */
const never = new Set(["253402300799", "253402300800"]);

/** The power of ten that makes milliseconds of a number with these digits. */
function findShift(whole: string, isNegative: boolean): number | null {
  const digits = whole.length;
  if (digits <= 8 && !isNegative) return null;
  if (digits <= 11 || never.has(whole)) return 3;
  if (digits <= 14) return 0;
  if (digits === 16) return -3;
  return digits === 19 ? -6 : null;
}

function toMs(text: string, whole: string, fraction: string): ReadDate {
  const isNegative = text.startsWith("-");
  const isZero = whole === "0" && !/[1-9]/.test(fraction);
  const shift = isZero ? 3 : findShift(whole, isNegative);
  if (shift === null) return whole.length <= 8 ? spreadsheet : noUnit;
  const digits = whole + fraction.padEnd(3, "0");
  const end = whole.length + shift;
  const rest = /[1-9]/.test(digits.slice(end));
  const size = Number(digits.slice(0, end));
  // Down to the millisecond, also before 1970.
  return { ok: true, ms: isNegative ? -size - Number(rest) || 0 : size };
}

const inDigits = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(?:(\d\d)(\d*))?)?$/;
const digitLengths = new Set([8, 12, 14, 17, 20]);

/** `20261121`, with hours, minutes, seconds, and parts of a second. Null: not a date. */
function readDigits(whole: string, fraction: string): number | null {
  if (!digitLengths.has(whole.length) || (fraction !== "" && whole.length !== 14)) return null;
  const match = inDigits.exec(whole);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date: Day = { kind: "month", year, month, day };
  const start = toMidnight(date);
  if (start === undefined || hour > 23 || minute > 59 || second > 59) return null;
  const parts = ((match[7] ?? "") + fraction).slice(0, 3).padEnd(3, "0");
  return start + ((hour * 60 + minute) * 60 + second) * 1_000 + Number(parts);
}

/** The number without an exponent, such as 1795255200 for 1.7952552E9. */
function writePlainly(value: ExactNumber): string {
  const { decimal } = value;
  if (decimal === undefined || Math.abs(decimal.magnitude) > 40 || decimal.digits.length > 80)
    return "";
  const { sign, digits, magnitude } = decimal;
  const whole = magnitude <= 0 ? "0" : digits.slice(0, magnitude).padEnd(magnitude, "0");
  const fraction = magnitude <= 0 ? "0".repeat(-magnitude) + digits : digits.slice(magnitude);
  return `${sign < 0 ? "-" : ""}${whole || "0"}${fraction === "" ? "" : `.${fraction}`}`;
}
