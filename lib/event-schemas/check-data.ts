import type { ValidateFunction } from "ajv";
import { compileSchema, findMismatch } from "#lib/core/sending/event-schema.ts";
import type { Mismatch } from "#lib/core/sending/schema-finding.ts";

export type DataCheck = {
  /** JSON text of a JSON Schema. */
  readonly schema: string;
  readonly dataJsons: readonly string[];
};

/**
 * Checks data against a schema. Null for each value that matches. Runs in a thread: the phase `run`
 * compiles the schema, unless it is known, and `check` checks the data, which may take forever.
 */
export function checkData(
  { schema, dataJsons }: DataCheck,
  enter: (phase: string) => void,
): readonly (Mismatch | null)[] {
  const validate = compile(schema);
  enter("check");
  return dataJsons.map((dataJson) =>
    typeof validate === "string"
      ? { kind: "unchecked", path: "data", message: validate }
      : findDifference(validate, JSON.parse(dataJson)),
  );
}

/** Compiled schemas by their text. A string: the reason the schema can't be used. */
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
    const validate = compileSchema(JSON.parse(text));
    // The engine compiles it at its first call: 90 ms for 1,600 properties.
    findDifference(validate, {});
    return validate;
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unreadable";
    return `can't be checked, because the schema of this event type is not usable: ${reason}`;
  }
}

function findDifference(validate: ValidateFunction, data: unknown): Mismatch | null {
  try {
    return findMismatch(validate, data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: "mismatch", path: "data", message: endless };
  }
}

const endless = "leads the schema of this event type around in circles without end";
