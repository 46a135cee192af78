import type { Digest, QuietHours } from "#lib/schema/watch/alert.ts";

const minuteMs = 60_000;
const dayMinutes = 1_440;
/** Clocks change by multiples of it. */
const stepMs = 15 * minuteMs;

/** When a message that is made now may be sent: now, or at the end of the quiet hours. */
export function endOfQuiet(now: Date, quiet: QuietHours | null): Date {
  if (quiet === null || !isQuiet(now, quiet)) return now;
  let ms = Math.floor(now.getTime() / minuteMs) * minuteMs;
  // The end of a night may be in a weekend, whose end may be in a night.
  while (isQuiet(new Date(ms), quiet)) ms += minutesToBoundary(new Date(ms), quiet) * minuteMs;
  // The clock may have been set forward in between.
  while (ms - stepMs > now.getTime() && !isQuiet(new Date(ms - stepMs), quiet)) ms -= stepMs;
  return new Date(ms);
}

/** When the next digest is sent: at the full hour, or at 09:00 in the time zone of the quiet hours. */
export function nextDigest(
  now: Date,
  digest: Exclude<Digest, "off">,
  quiet: QuietHours | null,
): Date {
  const { minute } = readClock(now, quiet?.timeZone ?? "UTC");
  const wait = digest === "hourly" ? 60 - (minute % 60) : wrap(digestMinute - minute);
  const startOfMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  return endOfQuiet(new Date(startOfMinute + wait * minuteMs), quiet);
}

const digestMinute = 9 * 60;

function isQuiet(at: Date, { from, to, timeZone, weekends }: QuietHours): boolean {
  const { minute, isWeekend } = readClock(at, timeZone);
  if (weekends && isWeekend) return true;
  const [start, end] = [toMinute(from), toMinute(to)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** To the end of the quiet hours or of the day, whichever is first. */
function minutesToBoundary(at: Date, { to, timeZone }: QuietHours): number {
  const { minute } = readClock(at, timeZone);
  return Math.min(wrap(toMinute(to) - minute), dayMinutes - minute);
}

/** From 1 to a day. */
function wrap(minutes: number): number {
  return minutes <= 0 ? minutes + dayMinutes : minutes;
}

function toMinute(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function readClock(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const isWeekend = ["Sat", "Sun"].includes(read("weekday"));
  return { minute: Number(read("hour")) * 60 + Number(read("minute")), isWeekend };
}
