import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { describeJsonFault, findJsonFault } from "#lib/core/json/scan-json.ts";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import {
  type CommandResult,
  checkFields,
  type FieldError,
  refuse,
} from "#lib/schema/field/command-result.ts";

type Fields = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
  readonly example: string;
  readonly deprecated: boolean;
  readonly onMismatch: string;
};

/** Runs the command with the form as JSON, unless one of its documents isn't valid JSON. */
export async function readJsonFields<Value>(
  { name, description, schema, example, ...rest }: Fields,
  command: (json: string) => Promise<CommandResult<Value>>,
): Promise<CommandResult<Value>> {
  const read = { schema: readJson("schema", schema), example: readJson("example", example) };
  const errors = [...read.schema.errors, ...read.example.errors];
  if (errors.length > 0) return refuse(checkFields, errors);
  const written = stringifyExactJson({
    ...rest,
    name: name.trim(),
    description: description.trim() === "" ? null : description.trim(),
    schema: read.schema.value,
    example: read.example.value,
  });
  return written.ok ? await command(written.text) : refuse(written.message);
}

type ReadJson = { readonly value: unknown; readonly errors: readonly FieldError[] };

/** Empty: null. */
function readJson(path: string, json: string): ReadJson {
  if (json.trim() === "") return { value: null, errors: [] };
  const parsed = parseExactJson(json);
  if (parsed.ok) return { value: parsed.value, errors: [] };
  const fault = findJsonFault(json);
  const message = fault === null ? parsed.message : describeJsonFault(fault);
  return { value: null, errors: [{ path, code: "invalid_json", message }] };
}
