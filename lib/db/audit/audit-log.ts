import type { StoredEntry, StoredHead } from "#lib/core/audit/verify-chain.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";

export type SealedHead = StoredHead & {
  /** Sealed at `auditKeyPlace`. */
  readonly keyCiphertext: Uint8Array;
};

/** The heads of all chains, also of accounts that were deleted. */
export async function listHeads(tx: Transaction): Promise<readonly SealedHead[]> {
  return await tx.auditChain.findMany({ orderBy: { accountId: "asc" }, omit: { postedAt: true } });
}

/** The entries after a number, oldest first, with JSON as text, as their codes cover it. */
export async function readEntriesAfter(
  tx: Transaction,
  accountId: string,
  { seq, limit }: { readonly seq: bigint; readonly limit: number },
): Promise<readonly StoredEntry[]> {
  return await tx.$queryRaw<StoredEntry[]>`
    select account_id as "accountId", seq, key_id as "keyId", at, event, actor_type as "actorType", actor_id as "actorId",
      actor_name as "actorName", ip, user_agent as "userAgent", request_id as "requestId", targets::text as targets,
      target_ids as "targetIds", changes::text as changes, mac
    from audit_entries where account_id = ${accountId}::uuid and seq > ${seq}::bigint
    order by seq limit ${limit}::int`;
}
