import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { RE2JS } from "re2js";
import { checkPattern, compilePattern } from "#lib/schema/act/filter-pattern.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { Mismatch } from "./schema-finding.ts";

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

/** The part of an event type that can't be used: `schema`, or a path in `example`. */
type SchemaProblem = { readonly path: string; readonly message: string };

/**
 * The reason why a schema or its example can't be used, or null. The schema is tried on small values,
 * and the example has to match it.
 */
export function findSchemaProblem({ schema, example }: SchemaTrial): SchemaProblem | null {
  try {
    const validate = compileSchema(schema);
    for (const data of samples) validate(data);
    return example === null ? null : toProblem(findMismatch(validate, example));
  } catch (error) {
    return { path: "schema", message: `can't be used: ${describeFailure(error)}` };
  }
}

function toProblem(mismatch: Mismatch | null): SchemaProblem | null {
  if (mismatch === null) return null;
  const [, ...names] = mismatch.path.split(".");
  const where = names.length === 0 ? "it" : `\`${names.join(".")}\``;
  return {
    path: ["example", ...names].join("."),
    message: `doesn't match the schema: ${where} ${mismatch.message}`,
  };
}

function describeFailure(error: unknown): string {
  if (error instanceof RangeError) return endless;
  return error instanceof Error ? error.message.slice(0, 200) : "it can't be read";
}

/**
 * The first difference between data and a schema, or null. Throws `RangeError` for a schema that
 * refers to itself without end.
 */
export function findMismatch(validate: ValidateFunction, data: unknown): Mismatch | null {
  return validate(data) ? null : toMismatch(validate.errors?.[0]);
}

function toMismatch(error: ErrorObject | undefined): Mismatch {
  const pointer = error?.instancePath ?? "";
  const names = pointer.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = `data${names.join(".")}`.slice(0, 300);
  return { kind: "mismatch", path, message: (error?.message ?? "doesn't match").slice(0, 300) };
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
