/** A command of a program. Everything about it but its work, which is loaded when it runs. */
export type Command<Run> = {
  /** One word, or two such as `audit verify`. */
  readonly name: string;
  /** Words after the name, such as `EMAIL`. `[HOOK…]`: any number of them, and last. */
  readonly operands: readonly string[];
  /** The words that the first operand is one of. */
  readonly choices?: readonly string[];
  /** Not a full sentence, for the list of commands. */
  readonly summary: string;
  /** Sentences for `--help`, with their own line breaks. */
  readonly details?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly load: () => Promise<Run>;
};

type CommandOption = {
  /** The name of its value in the help, such as `FILE`. Without it, the option takes no value. */
  readonly value?: string;
  /** The words that its value is one of. */
  readonly choices?: readonly string[];
  readonly summary: string;
};

/** The words after the name of a command. */
export type Arguments = {
  readonly operands: readonly string[];
  /** The options that were given: text for those with a value. */
  readonly values: Readonly<Record<string, string | true | undefined>>;
};

export type Output = {
  /** The result, on stdout. */
  result(text: string): void;
  /** News for a person who waits, on stderr. */
  note(text: string): void;
};

export function textValue({ values }: Pick<Arguments, "values">, name: string): string | undefined {
  const value = values[name];
  return value === true ? undefined : value;
}
