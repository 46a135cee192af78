import { toZoneName } from "./write-time.ts";

/**
 * Writes hours of the week, such as "on Sundays from 11:00 to 14:00 UTC", in a time zone, as its
 * clocks are now. Other text stays as it is.
 */
export function writeWeeklyHours(text: string, nowMs: number, timeZone: string): string {
  return text.replace(weeklyHours, (all, weekday: string, first: string, last: string) => {
    const startMs = findLast(weekdays.indexOf(weekday), Number(first), nowMs);
    const start = writeParts(startMs, timeZone);
    const end = writeParts(startMs + (Number(last) - Number(first)) * hourMs, timeZone);
    if (start.zone === "UTC") return all;
    return `on ${start.weekday}s from ${start.clock} to ${end.clock} ${start.zone}`;
  });
}

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const weeklyHours = new RegExp(
  `\\bon (${weekdays.join("|")})s from (\\d\\d):00 to (\\d\\d):00 UTC\\b`,
  "g",
);
const hourMs = 3_600_000;

/** The last time that it was this hour of this weekday in UTC. */
function findLast(weekday: number, hour: number, nowMs: number): number {
  const now = new Date(nowMs);
  const day = now.getUTCDate() - ((now.getUTCDay() - weekday + 7) % 7);
  const atMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day, hour);
  return atMs > nowMs ? atMs - 7 * 24 * hourMs : atMs;
}

function writeParts(atMs: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en", {
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "shortOffset",
    timeZone,
  });
  const part = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, value]),
  );
  return {
    weekday: part.weekday,
    clock: `${part.hour}:${part.minute}`,
    zone: toZoneName(part.timeZoneName),
  };
}
