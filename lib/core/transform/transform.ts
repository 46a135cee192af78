import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** What a transform may use. A run that needs more fails; it never slows down other runs. */
export const transformLimits = {
  sourceChars: 65_536,
  /** Of processor time, from the first line of the user's code. */
  runMs: 100,
  /** For writing the result as JSON, which may run the user's getters. */
  writeMs: 250,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Delivery and steps together, as JSON text. */
  inputChars: 4 * 1024 * 1024,
  /** The result as JSON text, in UTF-8. */
  outputBytes: 256 * 1024,
  outputDepth: 128,
} as const;

export type TransformErrorCode =
  | "syntax_error"
  /** The module has no default export that is a function. */
  | "no_function"
  | "source_too_large"
  | "input_too_large"
  | "too_slow"
  | "out_of_memory"
  | "stack_overflow"
  /** The code threw. */
  | "threw"
  | "async_not_allowed"
  /** JSON can't hold the result. */
  | "not_json"
  | "output_too_large";

export type TransformError = {
  readonly ok: false;
  readonly code: TransformErrorCode;
  /** What happened and what to do, as a sentence. */
  readonly message: string;
  /** In the user's source, from 1. Null: it has no place there, as of a thrown text. */
  readonly line: number | null;
  readonly column: number | null;
};

export type TransformResult = { readonly ok: true; readonly value: JsonValue } | TransformError;

export type TransformCheck = { readonly ok: true } | TransformError;

export function failTransform(
  code: TransformErrorCode,
  message: string,
  place: { readonly line: number; readonly column: number } | null = null,
): TransformError {
  return { ok: false, code, message, line: place?.line ?? null, column: place?.column ?? null };
}
