import type { ErrorCode } from "#lib/errors.ts";

/** Why a request is not accepted, and the response to it. */
export type Rejection = {
  readonly outcome: "refused";
  readonly code: ErrorCode;
  /** What is wrong and what to change. Contains no secrets or expected values. */
  readonly detail: string;
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
  return { outcome: "refused", code, detail, ...extra };
}

/** For temporary failures: the provider has to retry. */
export function rejectUnavailable(detail: string, extra: Partial<Rejection> = {}): Rejection {
  return reject("unavailable", detail, { retryAfterSeconds: 5, ...extra });
}
