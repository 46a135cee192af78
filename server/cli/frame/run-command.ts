import { formatHelp, formatUsage, type Program } from "#lib/base/command-line/help.ts";
import { parseCommand } from "#lib/base/command-line/parse-command.ts";
import { readStartEnv } from "#server/start/read-start-env.ts";
import { StartError } from "#server/system/start-error.ts";
import type { Command, ExitCode, Output } from "./command.ts";

/** How the operator calls it: npm names its script, and the image has a program of this name. */
const invocation =
  process.env.npm_lifecycle_event === undefined ? "catchment-server" : "npm run server --";

/** The general text of the help. */
export const program: Program = {
  invocation,
  about:
    "Commands for the operator of the machine. They read the environment and .env as npm start does.",
  exitCodes: "0 done, 1 failed or found a problem, 2 called wrongly",
};

/** Runs what `args` ask for. What the operator can fix is one sentence and exit code 1. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  output: Output,
): Promise<ExitCode> {
  const parsed = parseCommand(commands, args);
  switch (parsed.kind) {
    case "help":
      output.result(formatHelp(program, commands, parsed.command));
      return 0;
    case "wrong":
      output.note(`${parsed.message}\n${formatUsage(program, parsed.command)}`);
      return 2;
    case "run":
      break;
    default:
      return parsed satisfies never;
  }
  const { command, operands, values } = parsed;
  try {
    const run = await command.load();
    return await run({ operands, values, readEnv: readStartEnv, output });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    output.note(error.message);
    return 1;
  }
}
