import type { ErrorObject, ValidateFunction } from "ajv";
import { compileSchema } from "#lib/core/sender/event-schema.ts";
import type { Mismatch } from "#lib/core/sender/schema-finding.ts";

export type DataCheck = {
  /** JSON text of a JSON Schema. */
  readonly schema: string;
  readonly dataJson: string;
};

/** Null for each that matches. Runs in a thread: a pattern of a schema may take forever. */
export function checkData(checks: readonly DataCheck[]): readonly (Mismatch | null)[] {
  return checks.map(({ schema, dataJson }) => {
    const validate = compile(schema);
    if (typeof validate === "string") return { path: "data", message: validate };
    if (validate(JSON.parse(dataJson))) return null;
    return toMismatch(validate.errors?.[0]);
  });
}

/** By the schema's text. A string: why it can't be used. */
const compiled = new Map<string, ValidateFunction | string>();
const maxCompiled = 100;

function compile(schema: string): ValidateFunction | string {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  if (compiled.size >= maxCompiled) compiled.clear();
  const made = compileAnew(schema);
  compiled.set(schema, made);
  return made;
}

function compileAnew(text: string): ValidateFunction | string {
  try {
    return compileSchema(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unreadable";
    return `can't be checked, because the schema of this event type is not usable: ${reason}`;
  }
}

function toMismatch(error: ErrorObject | undefined): Mismatch {
  const pointer = error?.instancePath ?? "";
  const names = pointer.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = `data${names.join(".")}`;
  return { path: path.slice(0, 300), message: (error?.message ?? "doesn't match").slice(0, 300) };
}
