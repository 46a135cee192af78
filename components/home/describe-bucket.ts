const dayMs = 86_400_000;

/** Under a bar, in the viewer's zone and language. A bucket of a day is a day of UTC. */
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

/** 24 hours, as everywhere else in the dashboard, whatever the language's habit. */
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** From when to when a bar counts. */
export function describeBucket(
  startMs: number,
  bucketMs: number,
  locale?: string,
  timeZone?: string,
): string {
  const at = new Date(startMs);
  if (bucketMs >= dayMs) {
    return `${at.toLocaleDateString(locale, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" })} (UTC)`;
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
