import { writeSync } from "node:fs";

/**
 * Prints a line, complete before the process ends, even into a pipe. False: no one reads it any more.
 *
 * @param descriptor 1 is stdout, 2 is stderr
 */
export function printLine(descriptor: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(`${text}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // The reader is slow, or gone.
      if (code === "EAGAIN") continue;
      if (code === "EPIPE") return false;
      throw error;
    }
  }
  return true;
}
