/** Zones of the tz database, as the runtime knows them. An offset is a time east of UTC, in milliseconds. */

/** The offset of a zone at an instant. Undefined: there is no such zone. */
export function findOffset(zone: string, atMs: number): number | undefined {
  const format = findFormat(zone);
  if (format === undefined) return undefined;
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(read("year"), read("month") - 1, read("day"));
  local.setUTCHours(read("hour"), read("minute"), read("second"));
  return local.getTime() - Math.floor(atMs / 1_000) * 1_000;
}

/**
 * The instants at which the clocks of a zone show a time: one, two when they are set back, none when they are set
 * forward. Undefined: there is no such zone.
 *
 * @param localMs the time of the clocks, as if it were UTC
 */
export function findInstants(zone: string, localMs: number): readonly number[] | undefined {
  const around = [localMs - dayMs, localMs + dayMs].map((ms) => findOffset(zone, ms));
  const offsets = new Set(around.filter((offset) => offset !== undefined));
  if (offsets.size === 0) return undefined;
  return [...offsets]
    .map((offset) => localMs - offset)
    .filter((ms) => ms + (findOffset(zone, ms) ?? Number.NaN) === localMs);
}

const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes some 50 µs. There are about 600 zones; what isn't one is not kept. */
function findFormat(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    // Names ignore case, so one zone could have many.
    if (formats.size >= maxFormats) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}

const maxFormats = 700;
