import { writeSync } from "node:fs";
import { flushLog } from "#lib/base/log.ts";
import { commands } from "./commands.ts";
import { runCommand } from "./frame/run-command.ts";

/** `npm run catchment -- <command>`: commands for the operator of the machine. */
const output = {
  result: (text: string) => print(1, text),
  note: (text: string) => print(2, text),
};

// Prisma reads relations with several queries of one transaction at once, which pg will no longer
// queue by itself some day. Not for the operator to know.
process.noDeprecation = true;

const exitCode = await runCommand(commands, process.argv.slice(2), output);
flushLog();
process.exit(exitCode);

/** Complete before the process ends, even into a pipe. */
function print(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(`${text}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // The reader is slow, or gone.
      if (code === "EAGAIN") continue;
      if (code === "EPIPE") return;
      throw error;
    }
  }
}
