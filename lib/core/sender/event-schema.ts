import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { RE2JS } from "re2js";
import { checkPattern, compilePattern } from "#lib/schema/action/filter-pattern.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/**
 * A JSON Schema, ready to use: draft 2020-12, or an older one if `$schema` says so. Throws if it
 * can't be used. The schema is untrusted: run this, and the returned function, in a thread that can
 * be stopped. The function may throw too, for a schema that refers to itself.
 */
export function compileSchema(schema: JsonValue): ValidateFunction {
  const isLarge = JSON.stringify(schema).length > maxNestedChars;
  const options = {
    strict: false,
    logger: false,
    allErrors: isLarge,
    code: { regExp: toPattern, optimize: !isLarge },
  } as const;
  // Each schema has its own instance, because schemas of two accounts may have the same `$id`.
  const ajv = isOlderDraft(schema) ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  return ajv.compile(schema as object | boolean);
}

/**
 * If validation stops at the first error, the code for each property is nested in that of the one
 * before: 1,600 properties took 1.9 s to compile, and 0.2 s side by side.
 */
const maxNestedChars = 8 * 1024;

export type SchemaTrial = {
  readonly schema: JsonValue;
  /** Null: no example. */
  readonly example: JsonValue;
};

/**
 * The reason why a schema can't be used, or null. The schema is tried on its example and on small
 * values.
 */
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
 * Matches patterns in linear time, as in filters. A pattern that RE2 can't express, such as a
 * lookahead, is only limited by the thread.
 */
function toPattern(pattern: string, flags: string): Pattern {
  const translated = RE2JS.translateRegExp(pattern);
  const { ok } = checkPattern(translated);
  return ok ? compilePattern(translated) : new RegExp(pattern, flags);
}
// The property names the function in stored code. This code isn't stored.
toPattern.code = "toPattern";

type Pattern = { readonly test: (text: string) => boolean; readonly toString: () => string };

function isOlderDraft(schema: JsonValue): boolean {
  const dialect =
    typeof schema === "object" && schema !== null && "$schema" in schema ? schema.$schema : null;
  return typeof dialect === "string" && /draft-0[67]/.test(dialect);
}
