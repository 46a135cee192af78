import { Console } from "node:console";
import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";

/** Makes what libraries print in this process lines of the log: one for each call of `console`. */
export function logConsole(name: string): void {
  const lineOf = (level: LogLevel) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        logPrinted(name, level, text);
        done();
      },
    });
  globalThis.console = new Console(lineOf("info"), lineOf("warn"));
}

/**
 * Like `logConsole`, for the output of a child process, such as Node's when it runs out of memory.
 */
export function logLines(name: string, from: Readable): void {
  createInterface({ input: from }).on("line", (line) => logPrinted(name, "warn", line));
}

function logPrinted(name: string, level: LogLevel, printed: string): void {
  const text = hideForeignValues(stripVTControlCharacters(printed)).trim();
  if (text !== "") logCounted(level, "process.printed", { process: name, text });
}

/**
 * Hides values that Next repeats from the headers of requests that it rejects. A value may contain
 * the quotes around it: each ends at the last one before the words that follow.
 */
function hideForeignValues(text: string): string {
  return text
    .replace(
      /(header with value )`.*`( does not match `origin` header with value )`.*`( from )/,
      "$1`…`$2`…`$3",
    )
    .replace(/(Failed to find Server Action )".*"/, '$1"…"');
}
