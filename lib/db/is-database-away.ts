import { Prisma } from "./generated/client.ts";

/**
 * Whether a statement failed because the database could not be reached, was too busy or was stopping, rather than over the statement: the
 * same one may well pass in a moment.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (!(error instanceof Error)) return false;
  const codes = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const state = readSqlState(error);
  if (state !== null) codes.push(state);
  if (codes.some((code) => awayCodes.test(code))) return true;
  return awayWords.test(`${metaOf(error)} ${error.message}`);
}

/** PostgreSQL's code of what went wrong, for the log: unlike the message it quotes no values. */
export function readSqlState(error: unknown): string | null {
  return /"(?:originalCode|code)":"([0-9A-Z]{5})"/.exec(metaOf(error))?.[1] ?? null;
}

function metaOf(error: unknown): string {
  return error instanceof Error && "meta" in error ? JSON.stringify(error.meta ?? null) : "";
}

/** Prisma's codes of connections and pools; SQLSTATE classes 08, 53 and 57 (connection, resources, operator); Node's of sockets and their files. */
const awayCodes =
  /^(?:P10\d\d|P2024|P2028|P2037|08...|53...|57...|E(?:CONNREFUSED|CONNRESET|NOENT|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH))$/;

/** The driver has no code for some. */
const awayWords =
  /DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|timeout exceeded when trying to connect|Connection terminated|Query read timeout/;
