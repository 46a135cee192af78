import { randomUUID } from "node:crypto";
import { AppError, errorCode } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import {
  type ApiResponse,
  appErrorResponse,
  problemResponse,
  toResponse,
} from "#lib/core/api/api-response.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/services/frame/health.ts";

/** The response to HEAD. */
async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, headers });
}

/** Responds to a request, whatever goes wrong. Work that streams returns a `Response`. */
export async function respond(
  request: Request,
  work: () => Promise<ApiResponse | Response>,
): Promise<Response> {
  const result = await respondToErrors(request, work);
  const response = result instanceof Response ? result : toResponse(result);
  return request.method === "HEAD" ? await withoutBody(response) : response;
}

/** The outermost layer: every error below becomes a problem response here. */
export async function respondToErrors<Sent extends ApiResponse | Response>(
  request: Request,
  work: () => Promise<Sent>,
): Promise<Sent | ApiResponse> {
  try {
    return await work();
  } catch (error) {
    return errorResponse(error, { method: request.method, path: new URL(request.url).pathname });
  }
}

/** The code and the text of an error in the middle of a stream, as in its problem document. */
export function explainError(
  error: unknown,
  { method, url }: Pick<Request, "method" | "url">,
): { readonly code: string; readonly detail: string } {
  const { code, detail } = JSON.parse(
    errorResponse(error, { method, path: new URL(url).pathname }).text,
  );
  return { code, detail };
}

/** The response to a failure. Internal errors are logged with an id that the caller gets too. */
export function errorResponse(
  error: unknown,
  request: { readonly method: string; readonly path: string },
): ApiResponse {
  if (error instanceof AppError) return appErrorResponse(error);
  if (isDatabaseUnavailable(error)) {
    logCounted("warn", "api.unavailable", { ...request, error: nameOf(error) });
    return problemResponse("unavailable", "The database isn't responding. Try again in a moment.", {
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
  return problemResponse(
    "internal",
    `Something went wrong. Look for ${errorId} in the server's log.`,
  );
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = errorCode(error);
  return code === undefined ? error.name : `${error.name} ${code}`;
}

/** Only the stack is logged: the message of a database error may quote the statement's values. */
function stackOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}
