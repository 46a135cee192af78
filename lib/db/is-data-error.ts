import { Prisma } from "./generated/client.ts";

/**
 * Whether a statement failed over a value in it (SQLSTATE class 22, or a violated check) and not over the database:
 * the same values will fail again, other values will not.
 */
export function isDataError(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const state = readSqlState(error.meta);
  return state !== null && (state.startsWith("22") || state.startsWith("23"));
}

function readSqlState(meta: unknown): string | null {
  const text = JSON.stringify(meta ?? null);
  return /"(?:originalCode|code)":"([0-9A-Z]{5})"/.exec(text)?.[1] ?? null;
}
