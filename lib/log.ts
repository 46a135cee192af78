import SonicBoom from "sonic-boom";

/**
 * One JSON line a unit of work on stdout (`delivery.caught`, `run.attempted`): time, level, event, then the fields.
 * Bodies, secrets and authorization headers are never given to it; the field names below are a second belt.
 * JSON escapes CR, LF and the escape character, so that no field can forge a line or colour a terminal.
 *
 * The writer is pino's: it writes when the descriptor can take more, in one call for all that came up since, and
 * never stops the event loop when the reader of the log is slow. Beyond 8 MiB waiting, lines are dropped: losing log
 * lines is better than losing deliveries. pino itself adds per-path redaction and child loggers that nothing here needs.
 */
export const log = {
  info: (event: string, fields: LogFields = {}): void => write("info", event, fields),
  warn: (event: string, fields: LogFields = {}): void => write("warn", event, fields),
  error: (event: string, fields: LogFields = {}): void => write("error", event, fields),
};

export type LogLevel = "info" | "warn" | "error";
export type LogValue = string | number | boolean | null | undefined | readonly string[] | Error;
export type LogFields = Readonly<Record<string, LogValue>>;

/** Writes out what is still waiting; for the last moment of a process. */
export function flushLog(): void {
  if (writer === undefined) return;
  try {
    writer.flushSync();
  } catch {
    // The reader of the log has gone: there is nobody left to tell.
  }
}

/** Pure: one line without its end. `nowMs` is Unix time in milliseconds. */
export function formatJson(nowMs: number, level: LogLevel, event: string, fields: LogFields): string {
  // Put together by hand: a line is written for every delivery, and `JSON.stringify` of an object costs twice as much.
  let line = `{"time":"${toIsoTime(nowMs)}","level":"${level}","event":${JSON.stringify(event)}`;
  for (const name of Object.keys(fields)) {
    const value = printable(name, fields[name]);
    if (value !== undefined) line += `,${toKey(name)}:${JSON.stringify(value)}`;
  }
  return `${line}}`;
}

const keys = new Map<string, string>();

/** Names of fields are words of the code, so there are few of them. One can't stand in for the line's own time, level or event. */
function toKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = JSON.stringify(
    name === "time" || name === "level" || name === "event" ? `field_${name}` : name,
  );
  keys.set(name, key);
  return key;
}

let isoTimeMs = Number.NaN;
let isoTime = "";

function toIsoTime(nowMs: number): string {
  if (nowMs !== isoTimeMs) {
    isoTimeMs = nowMs;
    isoTime = new Date(nowMs).toISOString();
  }
  return isoTime;
}

/** Pure: the same for people at a terminal. */
export function formatPretty(nowMs: number, level: LogLevel, event: string, fields: LogFields): string {
  const time = new Date(nowMs).toISOString().slice(11, 23);
  const mark = { info: " ", warn: "!", error: "✗" }[level];
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(printable(name, value))}`);
  // JSON leaves the C1 controls alone, and a terminal may obey them.
  return [time, mark, event.padEnd(20), ...details]
    .join(" ")
    .replace(/[\u007f-\u009f]/g, "")
    .trimEnd();
}

const secretName =
  /authorization|cookie|password|passwd|secret|signature|token|api[-_]?key|credential|^body$/i;

const secretNames = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name);
  secretNames.set(name, isSecret);
  return isSecret;
}

function printable(name: string, value: LogValue): unknown {
  if (value === undefined || value === null) return value;
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (isSecretName(name)) return "[redacted]";
  if (value instanceof Error) return describeError(value);
  return typeof value === "string" ? cut(value) : value.map(cut);
}

/** The stack says where; a `cause` (pg, undici) says why. */
function describeError(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : "";
  return cut(`${error.stack ?? error.message}${cause}`);
}

const longestText = 4096;

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

const mostWaitingBytes = 8 * 1024 * 1024;

let writer: SonicBoom | undefined;
let format = formatJson;
let droppedLines = 0;

function write(level: LogLevel, event: string, fields: LogFields): void {
  writer ??= openWriter();
  if (droppedLines > 0) {
    const dropped = droppedLines;
    droppedLines = 0;
    writer.write(`${format(Date.now(), "warn", "log.dropped", { lines: dropped })}\n`);
  }
  writer.write(`${format(Date.now(), level, event, fields)}\n`);
  if (level !== "info") writer.flush();
}

function openWriter(): SonicBoom {
  if (process.env.CATCHMENT_LOG === "pretty") format = formatPretty;
  const opened = new SonicBoom({
    fd: process.stdout.fd,
    sync: false,
    maxLength: mostWaitingBytes,
    // Under load a write holds hundreds of lines; a quiet server's lines come at most a tenth of a second late.
    minLength: 48 * 1024,
    maxWrite: 64 * 1024,
    periodicFlush: 100,
  });
  opened.on("drop", () => {
    droppedLines += 1;
  });
  // EPIPE: nobody reads the log any more. Deliveries go on.
  opened.on("error", () => {});
  process.on("exit", flushLog);
  return opened;
}
