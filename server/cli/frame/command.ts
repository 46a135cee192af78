import type { Env } from "#lib/core/env/parse-env.ts";

/** One command of `npm run catchment`. Everything about it but its work, which is loaded when it runs. */
export type Command = {
  /** One word, or two such as `audit verify`. */
  readonly name: string;
  /** Required words after the name, such as `EMAIL`. */
  readonly operands: readonly string[];
  /** Not a full sentence, for the list of commands. */
  readonly summary: string;
  /** Sentences for `--help`, with their own line breaks. */
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly load: () => Promise<RunCommand>;
};

type CommandOption = {
  /** The name of its value in the help, such as `FILE`. Without it, the option takes no value. */
  readonly value?: string;
  readonly summary: string;
};

/** Returns the exit code. What the operator can fix is thrown as a `StartError`. */
type RunCommand = (input: CommandInput) => Promise<ExitCode>;

/** 0: done. 1: it failed, or found something that has to be changed. 2: it was called wrongly. */
export type ExitCode = 0 | 1 | 2;

export type CommandInput = {
  readonly operands: readonly string[];
  /** The options that were given: text for those with a value. */
  readonly values: Readonly<Record<string, string | true | undefined>>;
  /** Reads the environment and `.env`, as the server does. Throws a `StartError` if it is invalid. */
  readonly readEnv: () => Env;
  readonly output: Output;
};

export type Output = {
  /** The result, on stdout. */
  result(text: string): void;
  /** News for a person who waits, on stderr. */
  note(text: string): void;
};

export function textValue({ values }: CommandInput, name: string): string | undefined {
  const value = values[name];
  return value === true ? undefined : value;
}
