import type { ErrorCode, FieldError } from "./operations.ts";

type ErrorDetails = {
  readonly status: number;
  readonly code: CatchmentErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly cause?: unknown;
};

/**
 * A code of the API, or one of the client's own: `connection_failed` if there was no response, and
 * `unexpected_response` if something other than Catchment sent it, such as a proxy.
 */
export type CatchmentErrorCode = ErrorCode | "connection_failed" | "unexpected_response";

/** A call that failed. Compare `code`, which never changes. `message` is for people. */
export class CatchmentError extends Error {
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly code: CatchmentErrorCode;
  /** Every invalid field of the request. */
  readonly errors: readonly FieldError[];

  constructor({ status, code, detail, errors = [], cause }: ErrorDetails) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = "CatchmentError";
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** The error of a response that isn't a success. */
export async function toError(response: Response): Promise<CatchmentError> {
  const text = await response.text();
  const problem = readProblem(text);
  if (problem !== null) return new CatchmentError({ ...problem, status: response.status });
  const start = text.slice(0, 200).trim();
  return new CatchmentError({
    status: response.status,
    code: "unexpected_response",
    detail: `HTTP ${response.status} from something other than Catchment${start ? `: ${start}` : ""}`,
  });
}

type ProblemDocument = {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
};

/** A problem document (RFC 9457) of the API, or null. */
function readProblem(text: string): ProblemDocument | null {
  try {
    const problem: Partial<ProblemDocument> | null = JSON.parse(text);
    if (typeof problem?.code !== "string" || typeof problem.detail !== "string") return null;
    const { code, detail, errors } = problem;
    return { code, detail, ...(Array.isArray(errors) ? { errors } : {}) };
  } catch {
    return null;
  }
}
