const dayMs = 86_400_000;

/**
 * Writes a time as "Sun 14:05", or as "Sat 28 Nov, 14:05" if it is a week or more ahead, where the
 * weekday alone would be ambiguous.
 */
export function describeMoment(atMs: number, nowMs: number, timeZone: string): string {
  const isFar = atMs - nowMs >= dayMs;
  const format = new Intl.DateTimeFormat("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  const { weekday, day, month, hour, minute } = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, value]),
  );
  return `${weekday} ${isFar ? `${day} ${month}, ` : ""}${hour}:${minute}`;
}
