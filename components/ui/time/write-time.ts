/** Writes a time as "2026-11-23 11:42:05 GMT+1", or without the seconds or the zone. */
export function writeTime(
  atMs: number,
  timeZone: string,
  { seconds = true, zone = true }: { readonly seconds?: boolean; readonly zone?: boolean } = {},
): string {
  // Creating a formatter takes longer than using it for a whole list.
  if (last?.timeZone !== timeZone)
    last = { timeZone, format: new Intl.DateTimeFormat("en", { ...parts, timeZone }) };
  const part = Object.fromEntries(
    last.format.formatToParts(atMs).map(({ type, value }) => [type, value]),
  );
  const time = `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
  const name = toZoneName(part.timeZoneName);
  return `${time}${seconds ? `:${part.second}` : ""}${zone ? ` ${name}` : ""}`;
}

let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined;
const parts = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "shortOffset",
} as const;

/** Writes a time of today as "11:42", and of another day as "2026-11-23 11:42". */
export function writeRecentTime(atMs: number, nowMs: number, timeZone: string): string {
  const written = writeTime(atMs, timeZone, { seconds: false, zone: false });
  const today = writeTime(nowMs, timeZone).slice(0, 10);
  return written.startsWith(today) ? written.slice(today.length + 1) : written;
}

/** Engines write UTC as GMT or GMT+0. Servers and our API call it UTC. */
export function toZoneName(name = ""): string {
  return name.replace(/^GMT(?:[+]0)?$/, "UTC");
}
