import type {
  FieldError,
  FieldErrorCode,
  FieldErrorDetails,
} from "#lib/schema/field/command-result.ts";

/** All errors of the catch endpoint and the REST API. A test keeps `docs/errors.md` in sync. */
export const errorTable = {
  invalid_request: { status: 400, title: "Invalid request" },
  invalid_json: { status: 400, title: "Invalid JSON" },
  template_invalid: { status: 400, title: "Invalid template" },
  schema_mismatch: { status: 400, title: "Data doesn't match its schema" },
  signature_invalid: { status: 401, title: "Invalid signature" },
  unauthenticated: { status: 401, title: "Authentication required" },
  forbidden: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not found" },
  hook_not_found: { status: 404, title: "Hook not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  not_acceptable: { status: 406, title: "No such format" },
  request_timeout: { status: 408, title: "Request timed out" },
  conflict: { status: 409, title: "The request conflicts with the current state" },
  idempotency_conflict: { status: 409, title: "Idempotency key used with a different request" },
  hook_disabled: { status: 410, title: "The hook is disabled" },
  export_too_large: { status: 413, title: "Too many rows" },
  body_too_large: { status: 413, title: "Body too large" },
  uri_too_long: { status: 414, title: "URL too long" },
  unsupported_media_type: { status: 415, title: "Unsupported content type" },
  expectation_failed: { status: 417, title: "Expectation failed" },
  misdirected_request: { status: 421, title: "Unknown host name" },
  headers_too_large: { status: 431, title: "Headers too large" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal server error" },
  unavailable: { status: 503, title: "Service unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** An error to report to the caller. `detail` says what to change. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** `detail` repeats the error of a field, for callers without one. */
  readonly isOfField: boolean;

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      errors?: readonly FieldError[];
      headers?: Readonly<Record<string, string>>;
      isOfField?: boolean;
    } = {},
  ) {
    super(detail);
    this.name = "AppError";
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.isOfField = options.isOfField ?? false;
  }
}

/** An error about one input field. */
export function invalidField(
  path: string,
  message: string,
  code: FieldErrorCode = "invalid_value",
  details: FieldErrorDetails = {},
): AppError {
  return new AppError("invalid_request", `${path}: ${message.replace(/\.$/, "")}.`, {
    errors: [{ path, code, message, ...details }],
    isOfField: true,
  });
}

/** JavaScript can throw any value. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The `code` of an error of Node, the system, or the database, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** RFC 9457 problem details, the body of every error response. */
type Problem = {
  /** URL of the documentation of the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
};

/** Relative to the server's URL (RFC 9457 §3.1.1). The dashboard serves it. */
const docsPath = "/docs/errors";

export function toProblem(
  code: ErrorCode,
  detail: string,
  errors?: readonly FieldError[],
): Problem {
  const { status, title } = errorTable[code];
  const problem = { type: `${docsPath}#${code}`, title, status, code, detail };
  return errors === undefined ? problem : { ...problem, errors };
}
