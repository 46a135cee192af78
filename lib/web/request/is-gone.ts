import { AppError } from "#lib/base/errors.ts";
import { InvalidInput } from "#lib/core/api/parse-input.ts";

/** True for what doesn't exist, and if what stands for the id in a URL can't be one. */
export function isGone(error: unknown): boolean {
  const isUnknown = error instanceof AppError && error.code === "not_found";
  return (
    isUnknown ||
    (error instanceof InvalidInput && error.errors?.some(({ path }) => path === "id") === true)
  );
}

/** For `catch`, when a page also shows something that may be gone. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
