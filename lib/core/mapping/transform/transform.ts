import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** Limits of a transform. A run that exceeds one fails, and never slows down other runs. */
export const transformLimits = {
  sourceChars: 65_536,
  /** Processor time from the first line of the user's code. */
  runMs: 100,
  /** Time to write the result as JSON, which can run the user's getters. */
  writeMs: 150,
  /**
   * The time for both. Then the thread ends, even in a built-in function that can't be interrupted.
   */
  threadMs: 200,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** The maximum size of delivery and steps together, as JSON text. */
  inputChars: 4 * 1024 * 1024,
  /** The maximum size of the result as JSON text in UTF-8. */
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
  /** No thread was free in time, so the code didn't start. */
  | "too_busy"
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
  /** A sentence that says what happened and what to do. */
  readonly message: string;
  /** The line in the user's source, from 1. Null if unknown, as for a thrown text. */
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
