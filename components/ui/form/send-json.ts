import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import {
  type CommandResult,
  checkFields,
  type FieldError,
  reject,
} from "#lib/schema/field/command-result.ts";

/** A command that gets the body of an API call, in which numbers keep all their digits. */
export type JsonCommand<Value> = (json: string) => Promise<CommandResult<Value>>;

/** A form's values as API input, or the fields that can't be read. */
export type ReadForm<Input = unknown> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Runs the command with a form's values, unless one of its fields can't be read. */
export async function sendJson<Value>(
  read: ReadForm,
  command: JsonCommand<Value>,
): Promise<CommandResult<Value>> {
  if (!read.ok) return reject(checkFields, read.errors);
  const written = stringifyExactJson(read.input);
  return written.ok ? await command(written.text) : reject(written.message);
}
