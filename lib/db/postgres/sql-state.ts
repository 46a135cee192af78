import { errorCode } from "#lib/base/errors.ts";

/**
 * The SQLSTATE of a failed statement. Null: it failed before PostgreSQL responded. Prisma puts the
 * driver's error into `meta.driverAdapterError`, whose `cause` has `originalCode`. A bare `pg`
 * error has it as `code`. Better for logs than the message, which quotes values.
 */
export function sqlStateOf(error: unknown): string | null {
  for (const place of [["meta", "driverAdapterError", "cause"], ["meta"], ["cause"], []]) {
    const found = place.reduce<unknown>(readProperty, error);
    for (const name of ["originalCode", "code"]) {
      const state = readProperty(found, name);
      if (typeof state === "string" && sqlState.test(state)) return state;
    }
  }
  return null;
}

// Prisma's own codes (P2010) differ only in their letter; PostgreSQL only has class P0. Node's
// (EPIPE) start with E.
const sqlState = /^(?!P[1-9]|E[A-Z])[0-9A-Z]{5}$/;

/**
 * True if a statement failed because of a value in it (SQLSTATE class 22, or a violated constraint,
 * class 23) rather than because of the database: the same values will fail again, other values
 * won't.
 */
export function isDataError(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? "");
}

/** True if a statement was canceled, as after `statement_timeout` (SQLSTATE 57014). */
export function isCanceled(error: unknown): boolean {
  return sqlStateOf(error) === "57014";
}

/**
 * True if a statement failed because the database was unreachable, too busy, full, read-only, or
 * stopping, rather than because of the statement: the same one may succeed in a moment.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlStateOf(error);
  if (state !== null) return unavailableStates.test(state);
  if (error.name === "PrismaClientInitializationError") return true;
  if (unavailableCodes.test(errorCode(error) ?? "")) return true;
  const metaMessage = JSON.stringify([readProperty(error, "meta"), readProperty(error, "cause")]);
  return unavailableMessages.test(`${metaMessage} ${error.message}`);
}

/**
 * Classes 08, 53, and 57: the connection, resources such as the disk (53100), an operator. 25006:
 * read-only, like a standby or a full managed database.
 */
const unavailableStates = /^(?:08|53|57|25006)/;

/** Codes of Prisma for connections and pools, and of Node for sockets and socket files. */
const unavailableCodes =
  /^(?:P10\d\d|P2024|P2028|P2037|E(?:CONNREFUSED|CONNRESET|NOENT|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH))$/;

/** Messages of errors for which the driver has no code. */
const unavailableMessages =
  /DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|timeout exceeded when trying to connect|Connection terminated|Query read timeout/;

function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
