import { firstId } from "#lib/core/api/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The stored response to a change with an `Idempotency-Key`, whose whole text is sealed. */
export type SealedResponse = {
  readonly accountId: string;
  readonly key: string;
  readonly body: string;
};

/**
 * Lists stored responses that begin with this text.
 *
 * @param after the last one that was listed before
 */
export async function listSealedResponses(
  db: SqlStatements,
  begin: string,
  after: SealedResponse | null,
  limit: number,
): Promise<SealedResponse[]> {
  return await db.$queryRaw<SealedResponse[]>`
    select account_id as "accountId", key, body from idempotency_keys
    where starts_with(body, ${begin})
      and (account_id, key) > (${after?.accountId ?? firstId}::uuid, ${after?.key ?? ""})
    order by account_id, key limit ${limit}`;
}

/** Replaces the text, unless it has been changed since it was read. */
export async function replaceSealedResponse(
  db: SqlStatements,
  { accountId, key, body }: SealedResponse,
  resealed: string,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    update idempotency_keys set body = ${resealed}
    where account_id = ${accountId}::uuid and key = ${key} and body = ${body}`;
  return changed > 0;
}
