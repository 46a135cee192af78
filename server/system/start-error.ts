/**
 * A start that can't continue for a reason the operator can fix. The message is one sentence (or
 * one per wrong variable) that says what to change. It is printed without a stack, and the process
 * exits with code 1.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The database can't be reached now, which may end by itself. */
export class DatabaseAwayError extends StartError {}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
