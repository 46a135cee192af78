import { asUtc } from "#lib/schema/zoneless-time.ts";

/**
 * Between the time that a field shows and the one that an address holds: `2026-11-21T08:00`, in the zone of whoever looks and in UTC.
 * What is no time is left as it is, so that it can be shown with what is wrong with it.
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

/** "GMT+1", as it is at that moment; at the present one for a text that is no time. */
export function nameOfZone(local: string): string {
  const at = new Date(local);
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(
    Number.isNaN(at.getTime()) ? new Date() : at,
  );
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
