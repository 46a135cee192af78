import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { RE2JS } from "re2js";
import { checkPattern, compilePattern } from "#lib/schema/action/filter-pattern.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/**
 * A JSON Schema, ready to use: draft 2020-12, or an older one if `$schema` says so. Throws if it
 * can't be used. It is a stranger's: run this, and what it returns, in a thread that can be stopped.
 * What it returns may throw too, for a schema that refers to itself.
 */
export function compileSchema(schema: JsonValue): ValidateFunction {
  const isLarge = JSON.stringify(schema).length > maxNestedChars;
  const options = {
    strict: false,
    logger: false,
    allErrors: isLarge,
    code: { regExp: toPattern, optimize: !isLarge },
  } as const;
  // A new one for each: schemas of two accounts may have the same `$id`.
  const ajv = isOlderDraft(schema) ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  return ajv.compile(schema as object | boolean);
}

/**
 * To stop at the first error, the code for each property is nested in that of the one before: 1,600
 * of them took 1.9 s to compile, and 0.2 s side by side.
 */
const maxNestedChars = 8 * 1024;

export type SchemaTrial = {
  readonly schema: JsonValue;
  /** Null: none. */
  readonly example: JsonValue;
};

/** Why a schema can't be used, or null. It is tried on its example and on small values. */
export function findSchemaProblem({ schema, example }: SchemaTrial): string | null {
  try {
    const validate = compileSchema(schema);
    for (const data of [example, ...samples]) validate(data);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return endless;
    return error instanceof Error ? error.message.slice(0, 200) : "it can't be read";
  }
}

const samples: readonly JsonValue[] = [{}, [], "", 0, true, null];

const endless =
  "it refers to itself without end. Let each $ref lead to a part of the data, such as a property or an item";

/**
 * In linear time, as in filters. A pattern that RE2 can't express, such as one that looks ahead,
 * has only the thread's limit.
 */
function toPattern(pattern: string, flags: string): Pattern {
  const translated = RE2JS.translateRegExp(pattern);
  const { ok } = checkPattern(translated);
  return ok ? compilePattern(translated) : new RegExp(pattern, flags);
}
// For code that is stored, which this is not.
toPattern.code = "toPattern";

type Pattern = { readonly test: (text: string) => boolean; readonly toString: () => string };

function isOlderDraft(schema: JsonValue): boolean {
  const dialect =
    typeof schema === "object" && schema !== null && "$schema" in schema ? schema.$schema : null;
  return typeof dialect === "string" && /draft-0[67]/.test(dialect);
}
