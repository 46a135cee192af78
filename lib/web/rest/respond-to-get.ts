import type { ApiAnswer } from "#lib/core/api/api-response.ts";
import { AppError } from "#lib/errors.ts";

const allow = "GET, HEAD, OPTIONS";

/** Answers the methods of a path that can only be read. */
export async function answerGet(
  { method }: Request,
  work: () => ApiAnswer | Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  if (method === "OPTIONS") return { status: 204, text: "", headers: { allow } };
  if (method !== "GET" && method !== "HEAD") throw wrongMethod(allow);
  return await work();
}

export function wrongMethod(allowed: string, hint = ""): AppError {
  return new AppError("method_not_allowed", `This path only supports ${allowed}. ${hint}`.trim(), {
    headers: { allow: allowed },
  });
}
