import { AppError } from "#lib/base/errors.ts";
import { appErrorResponse, problemResponse, toResponse } from "#lib/core/api/api-response.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageContext } from "./page-context.ts";
import { readSession } from "./session.ts";

/**
 * Responds to a request that an open page makes by itself. Without a session, or without the right,
 * it gets the problem document of the API: no redirect, which would answer it with a page.
 */
export async function respondToPage(
  work: (context: ServiceContext) => Promise<Response>,
): Promise<Response> {
  if ((await readSession()) === null)
    return toResponse(problemResponse("unauthenticated", "Sign in first."));
  try {
    return await work(await pageContext());
  } catch (error) {
    if (error instanceof AppError) return toResponse(appErrorResponse(error));
    throw error;
  }
}

/** A value as JSON, which no cache keeps. */
export function freshJson(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}
