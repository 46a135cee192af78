import pg from "pg";
import { errorCode } from "#lib/base/errors.ts";

type HostFailure = { readonly name: string; readonly error: Error };

/** A server responds, and takes no writes now. */
export class ReadOnlyHostError extends Error {
  readonly code = readOnlyState;
}

/**
 * No host is writable now. It has the SQLSTATE of a server that is starting, so that everything treats
 * it as a database that is away for a moment.
 */
export class NoWritableHostError extends pg.DatabaseError {
  readonly failures: readonly HostFailure[];

  constructor(failures: readonly HostFailure[]) {
    super(`No host of the database takes writes: ${failures.map(describe).join(", ")}`, 0, "error");
    this.failures = failures;
    this.code = "57P03";
    this.severity = "FATAL";
  }
}

/** `read_only_sql_transaction` */
export const readOnlyState = "25006";

function describe({ name, error }: HostFailure): string {
  if (error instanceof ReadOnlyHostError) return `${name} is read-only`;
  return `${name} can't be reached (${errorCode(error) ?? error.message})`;
}
