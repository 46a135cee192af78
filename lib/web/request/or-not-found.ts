import { notFound } from "next/navigation";
import { AppError } from "#lib/base/errors.ts";
import { InvalidInput } from "#lib/core/api/parse-input.ts";

/**
 * Reads something by the id in a page's URL. If it is gone, or belongs to another account, the page
 * is "not found".
 */
export async function orNotFound<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if (isGone(error)) notFound();
    throw error;
  }
}

/** True too if what stands for the id in the URL can't be one. */
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
