import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/** The destinations and saved credentials that the calls of an action name. */
export type RequestUses = {
  readonly destinationIds: readonly string[];
  readonly credentialIds: readonly string[];
};

/** A destination or a saved credential, with its origin. */
export type UsedReceiver = { readonly id: string; readonly origin: string };

/**
 * The account's destinations and saved credentials with these ids. They can't be deleted or moved
 * until the transaction ends.
 */
export async function holdUses(
  tx: Transaction,
  accountId: string,
  { destinationIds, credentialIds }: RequestUses,
): Promise<{
  readonly destinations: readonly UsedReceiver[];
  readonly credentials: readonly UsedReceiver[];
}> {
  const destinations =
    destinationIds.length === 0
      ? []
      : await tx.$queryRaw<UsedReceiver[]>`
          select id, origin from destinations
          where id = any (${destinationIds}::uuid[]) and account_id = ${accountId}::uuid order by id for key share`;
  const credentials =
    credentialIds.length === 0
      ? []
      : await tx.$queryRaw<UsedReceiver[]>`
          select id, origin from credentials
          where id = any (${credentialIds}::uuid[]) and account_id = ${accountId}::uuid order by id for key share`;
  return { destinations, credentials };
}

/** The account's destinations and saved credentials with these ids, in one list. */
export async function findUses(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly UsedReceiver[]> {
  if (ids.length === 0) return [];
  const where = { accountId, id: { in: [...ids] } };
  const select = { id: true, origin: true } as const;
  const [destinations, credentials] = await Promise.all([
    db.destination.findMany({ where, select }),
    db.credential.findMany({ where, select }),
  ]);
  return [...destinations, ...credentials];
}
