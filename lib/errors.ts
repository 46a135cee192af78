/**
 * The one table of errors that a caller can meet, on the catch endpoint and on the REST API.
 * `docs/errors.md` lists every one of them; a test keeps the two equal.
 */
export const errorTable = {
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_json: { status: 400, title: "The body says that it is JSON and is not" },
  template_invalid: { status: 400, title: "A template does not parse" },
  signature_invalid: { status: 401, title: "The signature was not accepted" },
  unauthenticated: { status: 401, title: "A valid API token is needed" },
  forbidden: { status: 403, title: "This is not allowed" },
  not_found: { status: 404, title: "There is nothing here" },
  hook_not_found: { status: 404, title: "There is no such hook" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  request_timeout: { status: 408, title: "The request did not arrive in time" },
  conflict: { status: 409, title: "The request conflicts with the present state" },
  idempotency_conflict: { status: 409, title: "The idempotency key was used with another request" },
  hook_disabled: { status: 410, title: "The hook is disabled" },
  body_too_large: { status: 413, title: "The body is too large" },
  uri_too_long: { status: 414, title: "The URL is too long" },
  unsupported_media_type: { status: 415, title: "The content type is not supported" },
  expectation_failed: { status: 417, title: "The expectation can't be met" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Something went wrong on our side" },
  unavailable: { status: 503, title: "The service can't store anything right now" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One thing that is wrong with one field; `path` is dotted, as in the request body. Templates also say where, counted from 1. */
export type FieldError = {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
};

/** A failure that the caller is told about. `detail` says what to change. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.name = "AppError";
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** What was thrown, as an error: JavaScript throws anything. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** RFC 9457 problem details, the body of every error answer. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
};

const docsUrl = "https://github.com/catchment/catchment/blob/main/docs/errors.md";

export function toProblem(code: ErrorCode, detail: string, errors?: readonly FieldError[]): Problem {
  const { status, title } = errorTable[code];
  const problem = { type: `${docsUrl}#${code}`, title, status, code, detail };
  return errors === undefined ? problem : { ...problem, errors };
}
