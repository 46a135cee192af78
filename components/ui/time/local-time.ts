import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { toZoneName } from "./write-time.ts";

/**
 * Converts between a field's local time and the UTC time in the URL: `2026-11-21T08:00`. Invalid
 * times stay as they are, so that they can be shown with an error.
 */
export function toLocalTime(utc: string, timeZone: string): string {
  const atMs = Date.parse(asUtc(utc));
  if (utc === "" || Number.isNaN(atMs)) return utc;
  return toMinute(atMs + readOffsetMs(atMs, timeZone));
}

export function toUtcTime(local: string, timeZone: string): string {
  const asIfUtcMs = Date.parse(`${local}Z`);
  if (local === "" || Number.isNaN(asIfUtcMs)) return local;
  // The offset depends on the time, which depends on the offset: near a change of clocks, the second
  // step is right.
  const nearMs = asIfUtcMs - readOffsetMs(asIfUtcMs, timeZone);
  return toMinute(asIfUtcMs - readOffsetMs(nearMs, timeZone));
}

/** The time zone's name at that time, such as "GMT+1", or now if the text isn't a time. */
export function nameOfZone(local: string, timeZone: string): string {
  const atMs = Date.parse(`${toUtcTime(local, timeZone)}Z`);
  const format = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset", timeZone });
  const parts = format.formatToParts(Number.isNaN(atMs) ? Date.now() : atMs);
  return toZoneName(parts.find(({ type }) => type === "timeZoneName")?.value);
}

function toMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

/** How far a zone's clocks are ahead of UTC at a time. */
function readOffsetMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const at = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}
