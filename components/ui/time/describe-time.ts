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

/** Writes an age as "12 s ago". Clocks differ slightly: a time in the future counts as now. */
export function describeAge(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 60) return days === 1 ? "yesterday" : `${days} days ago`;
  return days < 730 ? `${Math.floor(days / 30)} months ago` : `${Math.floor(days / 365)} years ago`;
}
