/**
 * Parses timestamps strictly. `Number`, `parseInt`, and `Date.parse` accept `1e10`, `123abc`, and
 * `2021`.
 */
import type { TimestampRule } from "#lib/schema/receive/verification.ts";
import { fail, type VerifyFailure } from "./failure.ts";

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?/;
const rfc3339 = new RegExp(`${dateTime.source}(?:Z|[+-]\\d\\d:\\d\\d)$`);
const zoneless = new RegExp(`${dateTime.source}$`);
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Unix milliseconds. Null if the text doesn't exactly match the unit. */
export function parseTimestamp(text: string, unit: TimestampRule["unit"]): number | null {
  switch (unit) {
    case "s":
      return /^[1-9]\d{0,10}$/.test(text) ? Number(text) * 1000 : null;
    case "ms":
      return /^[1-9]\d{0,13}$/.test(text) ? Number(text) : null;
    case "rfc3339":
      return rfc3339.test(text) ? parseIso(text) : null;
    case "iso-zoneless":
      return zoneless.test(text) ? parseIso(`${text}Z`) : null;
    case "http-date": {
      const time = imfFixdate.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(time) || new Date(time).toUTCString() !== text ? null : time;
    }
    default:
      return unit satisfies never;
  }
}

type Window = { readonly pastSeconds: number; readonly futureSeconds: number };

/** Null if the timestamp is within the window. `toleranceSeconds` replaces both sides. */
export function checkAge(
  sentMs: number,
  nowMs: number,
  { pastSeconds, futureSeconds }: Window,
  toleranceSeconds: number | undefined,
  subject: string,
): VerifyFailure | null {
  const tooOldMs = nowMs - sentMs - (toleranceSeconds ?? pastSeconds) * 1000;
  const tooNewMs = sentMs - nowMs - (toleranceSeconds ?? futureSeconds) * 1000;
  if (tooOldMs > 0) return fail("timestamp_too_old", subject, Math.ceil(tooOldMs / 1000));
  if (tooNewMs > 0) return fail("timestamp_in_future", subject, Math.ceil(tooNewMs / 1000));
  // NaN must not count as valid.
  return Number.isFinite(tooOldMs) ? null : fail("timestamp_too_old", subject);
}

/** Drops sub-millisecond digits, since the window is in seconds. */
function parseIso(text: string): number | null {
  const time = Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(time) ? null : time;
}
