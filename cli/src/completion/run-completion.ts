import type { CommandInput } from "../frame/command.ts";
import { type ExitCode, exitCodes } from "../frame/exit.ts";
import { formatCompletion, shells } from "./completion.ts";

/** Prints the completion of a shell. */
export async function runCompletion({
  operands,
  output,
  commands,
}: CommandInput): Promise<ExitCode> {
  const shell = shells.find((one) => one === operands[0]) ?? "bash";
  output.result(formatCompletion(shell, commands));
  return exitCodes.done;
}
