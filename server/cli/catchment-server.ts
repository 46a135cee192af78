import { printLine } from "#lib/base/command-line/print-line.ts";
import { flushLog } from "#lib/base/log.ts";
import { commands } from "./commands.ts";
import { runCommand } from "./frame/run-command.ts";

/** `npm run server -- COMMAND`, or `catchment-server COMMAND` in the image: for the operator of the machine. */
const output = {
  result: (text: string) => void printLine(1, text),
  note: (text: string) => void printLine(2, text),
};

// Prisma reads relations with several queries of one transaction at once, which pg will no longer
// queue by itself some day. Not for the operator to know.
process.noDeprecation = true;

const exitCode = await runCommand(commands, process.argv.slice(2), output);
flushLog();
process.exit(exitCode);
