/** The filters that write dates. What they can't read or write fails, and is never passed on. */
import { describeDateProblem } from "#lib/schema/field/date-problem.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { readWrittenDate } from "#lib/schema/field/read-date.ts";
import { findFormatProblem, findZoneProblem, formatDate, toOrdinal } from "./format-date.ts";
import { TemplateFault } from "./render-budget.ts";
import { valueToText } from "./value-to-text.ts";

/** Text, and the arguments after it. */
type DateWriter = (ms: number, args: readonly unknown[]) => string;

export const dateFilters: Readonly<Record<string, DateWriter>> = {
  date: (ms, [format, zone]) => {
    const text = isNothing(format) ? defaultFormat : valueToText(format);
    const problem = findFormatProblem(text);
    if (problem !== null) throw new TemplateFault(problem);
    return formatDate(ms, text, readZone(zone));
  },
  date_to_xmlschema: (ms) => formatDate(ms, "%Y-%m-%dT%H:%M:%S%:z"),
  date_to_rfc822: (ms) => formatDate(ms, "%a, %d %b %Y %H:%M:%S %z"),
  date_to_string: (ms, args) => writeDay(ms, "%b", args),
  date_to_long_string: (ms, args) => writeDay(ms, "%B", args),
};

/** Unix milliseconds of a filter's input. Null and undefined stay, because they aren't wrong dates. */
export function readDateInput(
  filter: string,
  value: unknown,
  nowMs: number,
): number | null | undefined {
  if (value === null || value === undefined) return value;
  const read = readTemplateDate(value, nowMs);
  if (read.ok) return read.ms;
  throw new TemplateFault(`${filter} can't read ${describeDateProblem(value, read)}`);
}

/** Like a date that a user writes elsewhere, and `today`, which Liquid knows as `now`. */
export function readTemplateDate(value: unknown, nowMs: number) {
  return readWrittenDate(value === "today" ? "now" : value, nowMs);
}

const defaultFormat = "%A, %B %-e, %Y at %-l:%M %P %z";

function readZone(zone: unknown): string | number | undefined {
  if (isNothing(zone)) return undefined;
  const read =
    typeof zone === "number" || zone instanceof ExactNumber ? Number(zone) : valueToText(zone);
  const problem = findZoneProblem(read);
  if (problem !== null) throw new TemplateFault(problem);
  return read;
}

/** `21 Nov 2026`, or with "ordinal" `21st Nov 2026` and with "US" `Nov 21st, 2026`. */
function writeDay(ms: number, month: string, [type, style]: readonly unknown[]): string {
  if (type !== "ordinal") return formatDate(ms, `%d ${month} %Y`);
  const day = new Date(ms).getUTCDate();
  const ordinal = `${day}${toOrdinal(day)}`;
  return style === "US"
    ? `${formatDate(ms, month)} ${ordinal}, ${formatDate(ms, "%Y")}`
    : `${ordinal} ${formatDate(ms, `${month} %Y`)}`;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}
