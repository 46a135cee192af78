import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/**
 * A JSON Schema, ready to use: draft 2020-12, or an older one if `$schema` says so. Throws if it
 * can't be used. It is a stranger's: run this, and what it returns, in a thread that can be stopped.
 */
export function compileSchema(schema: JsonValue): ValidateFunction {
  const options = { strict: false, logger: false } as const;
  // A new one for each: schemas of two accounts may have the same `$id`.
  const ajv = isOlderDraft(schema) ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  return ajv.compile(schema as object | boolean);
}

/** Why a schema can't be used, or null. */
export function findSchemaProblem(schema: JsonValue): string | null {
  try {
    compileSchema(schema);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "it can't be read";
  }
}

function isOlderDraft(schema: JsonValue): boolean {
  const dialect =
    typeof schema === "object" && schema !== null && "$schema" in schema ? schema.$schema : null;
  return typeof dialect === "string" && /draft-0[67]/.test(dialect);
}
