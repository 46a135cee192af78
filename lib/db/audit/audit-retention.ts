import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The accounts whose head wasn't written to the log for a day. Each is returned to one caller. */
export async function takeHeadsToPost(db: SqlStatements): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ account_id: string }[]>`
    update audit_chains set posted_at = now()
    where posted_at is null or posted_at < now() - interval '1 day'
    returning account_id`;
  return rows.map(({ account_id }) => account_id);
}

/** The accounts whose oldest entry is from before a time, and isn't waiting to be sent. */
export async function listExpired(db: SqlStatements, before: Date): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ account_id: string }[]>`
    select c.account_id from audit_chains c
      join audit_entries e on e.account_id = c.account_id and e.seq = c.kept_after + 1
      left join audit_receivers r on r.account_id = c.account_id
    where e.at < ${before}::timestamptz and (r.sent_seq is null or r.sent_seq >= e.seq) order by c.account_id`;
  return rows.map(({ account_id }) => account_id);
}

/** The number of the newest entry that the account's receiver has accepted. Null: it has none. */
export async function readSentSeq(tx: SqlStatements, accountId: string): Promise<bigint | null> {
  const [row] = await tx.$queryRaw<{ sent_seq: bigint }[]>`
    select sent_seq from audit_receivers where account_id = ${accountId}::uuid`;
  return row?.sent_seq ?? null;
}

type Checkpoint = {
  readonly accountId: string;
  /** The last entry to remove. */
  readonly seq: bigint;
  readonly mac: Uint8Array;
  readonly checkpointMac: Uint8Array;
};

/** Moves the checkpoint of a locked chain, and removes the entries up to it. */
export async function removeUntil(tx: SqlStatements, checkpoint: Checkpoint): Promise<void> {
  const { accountId, seq, mac, checkpointMac } = checkpoint;
  await tx.$executeRaw`
    update audit_chains set kept_after = ${seq}::bigint, kept_mac = ${mac}, checkpoint_mac = ${checkpointMac}
    where account_id = ${accountId}::uuid`;
  await tx.$executeRaw`
    delete from audit_entries where account_id = ${accountId}::uuid and seq <= ${seq}::bigint`;
}
