import { beforeFlush, type LogLevel, type LogValue, log } from "./log.ts";

/** Texts instead of errors: equal ones count as one. */
type CountedFields = Readonly<Record<string, Exclude<LogValue, Error>>>;

type Counted = {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: CountedFields;
  count: number;
  durationMs: number;
};

const everyMs = 1_000;
/** Different lines per second. Beyond it, only the events are counted. */
const maxLines = 100;

let held = new Map<string, Counted>();

type CountedExtras = {
  readonly durationMs?: number;
  /** Details that differ from one to the next, and may be a client's own text: only the first are logged. */
  readonly example?: CountedFields;
};

/**
 * Logs what unauthenticated clients can cause any number of times: one line per second for the same event and
 * fields, with the `count`, the longest `durationMs`, and one example.
 */
export function logCounted(
  level: LogLevel,
  event: string,
  fields: CountedFields,
  { durationMs = 0, example = {} }: CountedExtras = {},
): void {
  if (held.size === 0) setTimeout(writeHeld, everyMs).unref();
  const exact = `${level} ${event} ${JSON.stringify(fields)}`;
  const isRoom = held.size < maxLines || held.has(exact);
  const key = isRoom ? exact : `${level} ${event}`;
  const line = held.get(key);
  if (line === undefined) {
    const kept = isRoom ? { ...fields, ...example } : { isSummary: true };
    held.set(key, { level, event, fields: kept, count: 1, durationMs });
    return;
  }
  line.count += 1;
  line.durationMs = Math.max(line.durationMs, durationMs);
}

function writeHeld(): void {
  const lines = held;
  held = new Map();
  for (const line of lines.values()) write(line);
}

function write({ level, event, fields, count, durationMs }: Counted): void {
  const rounded = durationMs === 0 ? undefined : Math.round(durationMs * 10) / 10;
  log[level](event, { ...fields, durationMs: rounded, count });
}

const seldomMs = 60_000;
/** Messages of the last minute, with the count of those that have come since. */
const seldom = new Map<string, Counted>();

/**
 * Logs what repeats for as long as something lasts that is known, such as an outage of the database: at
 * once, and then one line per minute for the same event and fields, with the `count`. There must be few
 * different ones.
 */
export function logSeldom(level: LogLevel, event: string, fields: CountedFields): void {
  const key = `${level} ${event} ${JSON.stringify(fields)}`;
  const line = seldom.get(key);
  if (line !== undefined) {
    line.count += 1;
    return;
  }
  write({ level, event, fields, count: 1, durationMs: 0 });
  const next: Counted = { level, event, fields, count: 0, durationMs: 0 };
  seldom.set(key, next);
  setTimeout(() => writeSeldom(key, next), seldomMs).unref();
}

function writeSeldom(key: string, line: Counted): void {
  if (line.count === 0) {
    seldom.delete(key);
    return;
  }
  write(line);
  line.count = 0;
  setTimeout(() => writeSeldom(key, line), seldomMs).unref();
}

beforeFlush(() => {
  writeHeld();
  for (const line of seldom.values()) if (line.count > 0) write(line);
  seldom.clear();
});
