import type { Transaction } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Locks an account until the transaction ends, so that one caller at a time counts and adds. Throws
 * `not_found` if it was deleted while the caller waited: nothing that gives access is added to it.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  if (!(await lockAccountIfAny(tx, accountId))) throw notFound("account");
}

/** The same. False if the account was deleted. */
export async function lockAccountIfAny(tx: SqlStatements, accountId: string): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    select from accounts where id = ${accountId}::uuid and deleted_at is null for no key update`;
  return locked.length > 0;
}
