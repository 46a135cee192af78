import type { ChainedEntry } from "#lib/core/people/audit/chain.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type AuditChainRecord = {
  readonly accountId: string;
  readonly keyId: string;
  /** Sealed at `auditKeyPlace`. */
  readonly keyCiphertext: Uint8Array;
  readonly seq: bigint;
  readonly mac: Uint8Array;
  readonly headMac: Uint8Array;
};

/** Starts a chain, unless another transaction has. Its first entry has the number after `seq`. */
export async function insertChain(tx: SqlStatements, chain: AuditChainRecord): Promise<void> {
  await tx.$executeRaw`
    insert into audit_chains (account_id, key_id, key_ciphertext, seq, mac, head_mac)
    values (${chain.accountId}::uuid, ${chain.keyId}::uuid, ${chain.keyCiphertext}, ${chain.seq}::bigint,
      ${chain.mac}, ${chain.headMac})
    on conflict (account_id) do nothing`;
}

/** The number of the newest entry. 0: there is none. */
export async function readLastSeq(tx: SqlStatements, accountId: string): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ seq: bigint }[]>`
    select coalesce(max(seq), 0)::bigint as seq from audit_entries where account_id = ${accountId}::uuid`;
  return row?.seq ?? 0n;
}

type AuditCodes = { readonly mac: Uint8Array; readonly headMac: Uint8Array };

/** Adds an entry and moves the head of its chain, in one statement. */
export async function appendEntry(
  tx: SqlStatements,
  entry: ChainedEntry,
  { mac, headMac }: AuditCodes,
): Promise<void> {
  await tx.$executeRaw`
    with head as (
      update audit_chains set seq = ${entry.seq}::bigint, mac = ${mac}, head_mac = ${headMac}
      where account_id = ${entry.accountId}::uuid
    )
    insert into audit_entries (account_id, seq, key_id, at, event, actor_type, actor_id, actor_name, ip, user_agent,
      request_id, targets, target_ids, changes, mac)
    values (${entry.accountId}::uuid, ${entry.seq}::bigint, ${entry.keyId}::uuid, ${entry.at}::timestamptz,
      ${entry.event}, ${entry.actorType}, ${entry.actorId}, ${entry.actorName}, ${entry.ip}, ${entry.userAgent},
      ${entry.requestId}, ${entry.targets}::json, ${[...entry.targetIds]}::text[], ${entry.changes}::json, ${mac})`;
}
