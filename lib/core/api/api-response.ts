import { type AppError, type ErrorCode, errorTable, toProblem } from "#lib/base/errors.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

/**
 * An endpoint's response: a status and its JSON text, or empty text if it has no body. It is text
 * so that it can be stored and sent again.
 */
export type ApiResponse = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** RFC 9457. */
export function problemResponse(
  code: ErrorCode,
  detail: string,
  options: {
    errors?: readonly FieldError[] | undefined;
    headers?: Readonly<Record<string, string>>;
  } = {},
): ApiResponse {
  const headers =
    code === "unauthenticated"
      ? { "www-authenticate": "Bearer", ...options.headers }
      : options.headers;
  return {
    status: errorTable[code].status,
    text: JSON.stringify(toProblem(code, detail, options.errors)),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** The problem document for an error that the caller may see. */
export function appErrorResponse({ code, message, errors, headers }: AppError): ApiResponse {
  return problemResponse(code, message, { errors, headers });
}

/** @returns the headers that every response has, and its own */
export function headersOf({
  status,
  text,
  headers,
}: ApiResponse): Readonly<Record<string, string>> {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(text === "" ? {} : { "content-type": type }),
    ...headers,
  };
}

/** The same as the platform's `Response`. One without text has no body. */
export function toResponse(response: ApiResponse): Response {
  const { status, text } = response;
  return new Response(text === "" ? null : text, { status, headers: headersOf(response) });
}
