import type { ErrorCode } from "#lib/base/errors.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

/** The reason a request is not accepted, and the response to it. */
export type Rejection = {
  readonly outcome: "rejected";
  readonly code: ErrorCode;
  /** Says what is wrong and what to change, without secrets or expected values. */
  readonly detail: string;
  /** One error for each invalid field of an event. */
  readonly errors?: readonly FieldError[] | undefined;
  readonly allow?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** Close the connection after the response, without reading the rest of the request. */
  readonly closes?: boolean;
  /** The provider expects only the status. */
  readonly isBodiless?: boolean;
  /** The reason code of a rejected signature, for the log. */
  readonly reason?: string;
  /** An internal error, for the log, never for the response. */
  readonly cause?: unknown;
};

export function reject(code: ErrorCode, detail: string, extra: Partial<Rejection> = {}): Rejection {
  return { outcome: "rejected", code, detail, ...extra };
}

/** A rejection for temporary failures: the sender has to retry. */
export function rejectUnavailable(detail: string, extra: Partial<Rejection> = {}): Rejection {
  return reject("unavailable", detail, { retryAfterSeconds: 5, ...extra });
}
