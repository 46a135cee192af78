export const dayMs = 86_400_000;

/** The label of a bar, in the viewer's time zone: "14:00", "Sun 22", or "22 Nov". A day is a UTC day. */
export function describeTick(startMs: number, bucketMs: number, timeZone?: string): string {
  if (bucketMs >= dayMs) {
    const { day, month } = readParts(startMs, "UTC");
    return `${day} ${month}`;
  }
  const { weekday, day, clock } = readParts(startMs, timeZone);
  return bucketMs > dayMs / 24 ? `${weekday} ${day}` : clock;
}

/** The time span of a bar: "Sun 22 Nov, 14:00 – 15:00". */
export function describeBucket(startMs: number, bucketMs: number, timeZone?: string): string {
  const isDay = bucketMs >= dayMs;
  const { weekday, day, month, clock } = readParts(startMs, isDay ? "UTC" : timeZone);
  const date = `${weekday} ${day} ${month}`;
  if (isDay) return `${date} (UTC)`;
  return `${date}, ${clock} – ${readParts(startMs + bucketMs, timeZone).clock}`;
}

/** The parts are put together here, because the order and the commas differ between engines. */
function readParts(atMs: number, timeZone?: string) {
  const format = new Intl.DateTimeFormat("en", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone !== undefined && { timeZone }),
  });
  const part = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month } = part;
  return { weekday, day, month, clock: `${part.hour}:${part.minute}` };
}
