import { AppError } from "#lib/base/errors.ts";

/** For `catch`, when a page also shows something that may be gone. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
