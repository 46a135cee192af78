/** An error in one field. `path` is dotted. For templates, `line` and `column` count from 1. */
export type FieldError = {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};

/**
 * What a form gets back from its command. `fields` are messages by field name, to show beside the
 * field. `message` says what is wrong as a whole.
 */
export type CommandResult<Value> = { readonly ok: true; readonly value: Value } | CommandRejection;

export type CommandRejection = {
  readonly ok: false;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** The first message of a field is the one to fix first. */
export function refuse(message: string, errors: readonly FieldError[] = []): CommandRejection {
  const fields = Object.fromEntries(
    errors.toReversed().map((error) => [error.path, withPlace(error)]),
  );
  return { ok: false, message, fields };
}

export const checkFields = "Check the marked fields.";

function withPlace({ message, line, column }: FieldError): string {
  return line === undefined ? message : `line ${line}, column ${column ?? 1}: ${message}`;
}
