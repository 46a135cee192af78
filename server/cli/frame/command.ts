import type {
  Arguments,
  Output,
  Command as ProgramCommand,
} from "#lib/base/command-line/command.ts";
import type { Env } from "#lib/core/env/parse-env.ts";

export { type Output, textValue } from "#lib/base/command-line/command.ts";

/** One command of `npm run server`. */
export type Command = ProgramCommand<RunCommand>;

/** Returns the exit code. What the operator can fix is thrown as a `StartError`. */
type RunCommand = (input: CommandInput) => Promise<ExitCode>;

/** 0: done. 1: it failed, or found something that has to be changed. 2: it was called wrongly. */
export type ExitCode = 0 | 1 | 2;

export type CommandInput = Arguments & {
  /** Reads the environment and `.env`, as the server does. Throws a `StartError` if it is invalid. */
  readonly readEnv: () => Env;
  readonly output: Output;
};
