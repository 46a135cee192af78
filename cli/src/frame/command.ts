import type {
  Arguments,
  Output,
  Command as ProgramCommand,
} from "../../../lib/base/command-line/command.ts";
import type { ExitCode } from "./exit.ts";

export { textValue } from "../../../lib/base/command-line/command.ts";

export type Command = ProgramCommand<RunCommand>;

/** Throws an `Exit` for what the person can fix, and errors of the API as they are. */
type RunCommand = (input: CommandInput) => Promise<ExitCode>;

/** Where a command runs. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** False in a pipe or a script: results are JSON lines, without color, and nothing asks. */
  readonly isInteractive: boolean;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
};

export type CommandInput = Arguments &
  Terminal & {
    /** All commands, for a command that describes them. */
    readonly commands: readonly Command[];
  };
