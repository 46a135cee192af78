import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The texts of a pending delivery in which values are sealed. */
export type SealedDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly headersJson: string;
  readonly query: string;
  readonly path: string;
};

/**
 * Lists pending deliveries with values that begin with this text, by hook, which has an index.
 *
 * @param after the id of the last one that was listed before
 */
export async function listSealedDeliveries(
  db: SqlStatements,
  begin: string,
  after: string,
  limit: number,
): Promise<SealedDelivery[]> {
  return await db.$queryRaw<SealedDelivery[]>`
    select d.id, d.account_id as "accountId", d.headers::text as "headersJson", d.query, d.path
    from deliveries d
    where d.hook_id in (select id from hooks) and d.status = 'pending' and d.id > ${after}::uuid
      and strpos(d.headers::text || ' ' || d.query || ' ' || d.path, ${begin}) > 0
    order by d.id limit ${limit}`;
}

/** Replaces the texts, unless they have been changed since they were read. */
export async function replaceSealedDelivery(
  db: SqlStatements,
  before: SealedDelivery,
  after: SealedDelivery,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    update deliveries set headers = ${after.headersJson}::json, query = ${after.query}, path = ${after.path}
    where id = ${before.id}::uuid and headers::text = ${before.headersJson} and query = ${before.query} and path = ${before.path}`;
  return changed > 0;
}
