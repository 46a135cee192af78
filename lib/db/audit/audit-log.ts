import type { StoredEntry, StoredHead } from "#lib/core/people/audit/verify-chain.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type SealedHead = StoredHead & {
  /** Sealed at `auditKeyPlace`. */
  readonly keyCiphertext: Uint8Array;
};

const headColumns = Prisma.sql`
  account_id as "accountId", key_id as "keyId", key_ciphertext as "keyCiphertext", seq, mac, head_mac as "headMac",
  kept_after as "keptAfter", kept_mac as "keptMac", checkpoint_mac as "checkpointMac"`;

/** The heads of all chains, also of accounts that were deleted. */
export async function listHeads(db: SqlStatements): Promise<readonly SealedHead[]> {
  return await db.$queryRaw<SealedHead[]>`
    select ${headColumns} from audit_chains order by account_id`;
}

/** Locks the head of an account's chain until the transaction ends. Null: there is none. */
export async function lockHead(tx: SqlStatements, accountId: string): Promise<SealedHead | null> {
  const rows = await tx.$queryRaw<SealedHead[]>`
    select ${headColumns} from audit_chains where account_id = ${accountId}::uuid for no key update`;
  return rows[0] ?? null;
}

/** The accounts that have entries but no head, because someone has removed it. */
export async function listHeadless(db: SqlStatements): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ account_id: string }[]>`
    select distinct account_id from audit_entries e
    where not exists (select from audit_chains c where c.account_id = e.account_id)`;
  return rows.map(({ account_id }) => account_id);
}

/** The columns of `audit_entries` that every reader needs. Its JSON columns are read in two forms. */
export const entryColumns = Prisma.sql`
  seq, at, event, actor_type as "actorType", actor_id as "actorId", actor_name as "actorName", ip,
  user_agent as "userAgent", request_id as "requestId"`;

/** The entries after a number, oldest first, with JSON as text, as their codes cover it. */
export async function readEntriesAfter(
  db: SqlStatements,
  accountId: string,
  { seq, limit }: { readonly seq: bigint; readonly limit: number },
): Promise<readonly StoredEntry[]> {
  return await db.$queryRaw<StoredEntry[]>`
    select ${entryColumns}, account_id as "accountId", key_id as "keyId", targets::text as targets,
      target_ids as "targetIds", changes::text as changes, mac
    from audit_entries where account_id = ${accountId}::uuid and seq > ${seq}::bigint
    order by seq limit ${limit}::int`;
}
