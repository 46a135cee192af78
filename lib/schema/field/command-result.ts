/** The codes of field errors, for programs. `docs/errors.md` explains them. They never change. */
export const fieldErrorCodes = [
  "required",
  "invalid_type",
  "invalid_value",
  "too_long",
  "too_short",
  "out_of_range",
  "duplicate",
  "not_allowed",
  "unknown_field",
  "unknown_value",
  "invalid_json",
  "invalid_template",
  "missing_name",
  "not_found",
  "conflict",
  "schema_mismatch",
] as const;
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** An error in one field. `path` is dotted. For templates, `line` and `column` count from 1. */
export type FieldError = {
  readonly path: string;
  readonly code: FieldErrorCode;
  readonly message: string;
  /** The limit that the value exceeds or doesn't reach. */
  readonly limit?: number;
  /** The name that is unknown, missing, repeated, or not allowed. */
  readonly name?: string;
  readonly line?: number;
  readonly column?: number;
};

/** A limit or a name, if the error code has one. */
export type FieldErrorDetails = Pick<FieldError, "limit" | "name">;

/**
 * The error code and details of a schema rule, for `refine` and `addIssue`. A rule without them has
 * the code `invalid_value`.
 */
export function brokenRule(code: FieldErrorCode, message: string, details: FieldErrorDetails = {}) {
  return { message, params: { code, ...details } };
}

/** The code that a rule gave to an issue. */
export function codeOfRule(
  params: Readonly<Record<string, unknown>> | undefined,
): FieldErrorDetails & Pick<FieldError, "code"> {
  return { code: "invalid_value", ...params };
}

/** The result of a form's command. `message` describes the problem as a whole. */
export type CommandResult<Value> = { readonly ok: true; readonly value: Value } | CommandRejection;

export type CommandRejection = {
  readonly ok: false;
  readonly message: string;
  /** At most one per field, to show beside it. */
  readonly errors: readonly FieldError[];
  /** `message` repeats the error of a field, for pages that don't show the field. */
  readonly isOfField?: boolean;
};

/** The first error of a field is the one to fix first. */
export function reject(
  message: string,
  errors: readonly FieldError[] = [],
  isOfField = false,
): CommandRejection {
  const first = new Map(errors.toReversed().map((error) => [error.path, error]));
  const shown = errors.filter((error) => first.get(error.path) === error);
  return { ok: false, message, errors: shown, ...(isOfField && { isOfField }) };
}

export const checkFields = "Check the marked fields.";

/** The error as text, with its position in the field. */
export function describeFieldError({ message, line, column }: FieldError): string {
  return line === undefined ? message : `line ${line}, column ${column ?? 1}: ${message}`;
}
