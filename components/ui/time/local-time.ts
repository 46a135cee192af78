import { asUtc } from "#lib/schema/field/zoneless-time.ts";

/**
 * Converts between a field's local time and the UTC time in the URL: `2026-11-21T08:00`. Invalid
 * times stay as they are, so that they can be shown with an error.
 */
export function toLocalTime(utc: string): string {
  const at = new Date(asUtc(utc));
  if (utc === "" || Number.isNaN(at.getTime())) return utc;
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function toUtcTime(local: string): string {
  const at = new Date(local);
  if (local === "" || Number.isNaN(at.getTime())) return local;
  return at.toISOString().slice(0, 16);
}

/** The time zone's name at that time, such as "GMT+1", or now if the text isn't a time. */
export function nameOfZone(local: string): string {
  const at = new Date(local);
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(
    Number.isNaN(at.getTime()) ? new Date() : at,
  );
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
