export const dayMs = 86_400_000;

/** The label of a bar, in the viewer's time zone and language. A day is a UTC day. */
export function describeTick(
  startMs: number,
  bucketMs: number,
  locale?: string,
  timeZone?: string,
): string {
  const at = new Date(startMs);
  if (bucketMs >= dayMs)
    return at.toLocaleDateString(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const zone = timeZone === undefined ? {} : { timeZone };
  if (bucketMs > dayMs / 24)
    return at.toLocaleDateString(locale, { weekday: "short", day: "numeric", ...zone });
  return at.toLocaleTimeString(locale, { ...clock, ...zone });
}

/** 24-hour time in every language, as everywhere else in the dashboard. */
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The time span of a bar. */
export function describeBucket(
  startMs: number,
  bucketMs: number,
  locale?: string,
  timeZone?: string,
): string {
  const at = new Date(startMs);
  if (bucketMs >= dayMs) {
    return (
      `${at.toLocaleDateString(locale, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" })} ` +
      "(UTC)"
    );
  }
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = (date: Date) => date.toLocaleTimeString(locale, { ...clock, ...zone });
  const day = at.toLocaleDateString(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...zone,
  });
  return `${day}, ${time(at)} – ${time(new Date(startMs + bucketMs))}`;
}
