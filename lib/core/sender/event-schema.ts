import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/**
 * Why a JSON Schema can't be used, or null. Draft 2020-12, or draft-07 if `$schema` says so. It is a
 * stranger's: run this in a thread that can be stopped.
 */
export function findSchemaProblem(schema: JsonValue): string | null {
  try {
    createAjv(schema).compile(schema as object | boolean);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : "it can't be read";
    return message.length > 300 ? `${message.slice(0, 300)}…` : message;
  }
}

/** Formats are not checked: the words for them differ between tools. */
const options = { strict: false, validateFormats: false, logger: false } as const;

function createAjv(schema: JsonValue): Ajv {
  const dialect =
    typeof schema === "object" && schema !== null && "$schema" in schema ? schema.$schema : null;
  return typeof dialect === "string" && dialect.includes("draft-07")
    ? new Ajv(options)
    : new Ajv2020(options);
}
