import { randomUUID } from "node:crypto";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { AppError, type ErrorCode, errorCode, errorTable, toProblem } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

/**
 * An endpoint's response: a status and its JSON text, empty for none. It is text so that it can be
 * stored and sent again.
 */
export type ApiAnswer = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export function toResponse({ status, text, headers }: ApiAnswer): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(text === "" ? null : text, {
    status,
    headers: { ...commonHeaders, ...(text === "" ? {} : { "content-type": type }), ...headers },
  });
}

/** RFC 9457. */
export function problemAnswer(
  code: ErrorCode,
  detail: string,
  options: {
    errors?: readonly FieldError[] | undefined;
    headers?: Readonly<Record<string, string>>;
  } = {},
): ApiAnswer {
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

/**
 * What a caller sees of a failure. Internal errors are logged with an id that the caller gets too.
 */
export function errorAnswer(
  error: unknown,
  request: { readonly method: string; readonly path: string },
): ApiAnswer {
  if (error instanceof AppError) {
    return problemAnswer(error.code, error.message, {
      errors: error.errors,
      headers: error.headers,
    });
  }
  if (isDatabaseUnavailable(error)) {
    log.warn("api.unavailable", { ...request, error: nameOf(error) });
    return problemAnswer("unavailable", "The database isn't responding. Try again in a moment.", {
      headers: { "retry-after": "2" },
    });
  }
  const errorId = randomUUID();
  const sqlState = sqlStateOf(error);
  log.error("api.failed", {
    ...request,
    errorId,
    error: nameOf(error),
    sqlState,
    stack: stackOf(error),
  });
  return problemAnswer(
    "internal",
    `Something went wrong. Look for ${errorId} in the server's log.`,
  );
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = errorCode(error);
  return code === undefined ? error.name : `${error.name} ${code}`;
}

/** Only the stack: the message of a database error may quote the statement's values. */
function stackOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}
