import { AppError } from "#lib/base/errors.ts";
import type { ApiResponse } from "#lib/core/api/api-response.ts";

const allow = "GET, HEAD, OPTIONS";

/** Responds to every method of a path that can only be read. */
export async function respondToGet(
  { method }: Request,
  work: () => ApiResponse | Promise<ApiResponse>,
): Promise<ApiResponse> {
  if (method === "OPTIONS") return { status: 204, text: "", headers: { allow } };
  if (method !== "GET" && method !== "HEAD") throw wrongMethod(allow);
  return await work();
}

export function wrongMethod(allowed: string, hint = ""): AppError {
  return new AppError("method_not_allowed", `This path only supports ${allowed}. ${hint}`.trim(), {
    headers: { allow: allowed },
  });
}
