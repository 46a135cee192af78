import { log } from "#lib/base/log.ts";
import { openAuditKey } from "#lib/core/people/audit/audit-key.ts";
import {
  firstMac,
  isSameMac,
  macOfCheckpoint,
  macOfEntry,
  macOfHead,
  nameHead,
} from "#lib/core/people/audit/chain.ts";
import type { StoredEntry } from "#lib/core/people/audit/verify-chain.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { lockHead, readEntriesAfter, type SealedHead } from "#lib/db/audit/audit-log.ts";
import {
  listExpired,
  readSentSeq,
  removeUntil,
  takeHeadsToPost,
} from "#lib/db/audit/audit-retention.ts";
import { readRetentionTime } from "#lib/db/clock/database-clock.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { dayMs, defineJob, type Job, lockNothing } from "../job.ts";

export type AuditOptions = {
  readonly db: SqlDatabase;
  readonly sealer: Sealer;
  /** Older entries of audit logs are removed. 0: they are kept. */
  readonly auditRetentionDays: number;
};

/**
 * Writes the head of each audit log to the server's log once a day. Someone who has an older copy of
 * the database could put it back, and only a head from outside shows that.
 */
export function postHeadsJob({ db, sealer }: AuditOptions): Job {
  return defineJob({
    kind: "post_audit_heads",
    lock: lockNothing,
    async workBatch() {
      for (const accountId of await takeHeadsToPost(db)) {
        const head = await db.$transaction((tx) => lockHead(tx, accountId));
        if (head === null) continue;
        if (isAuthentic(sealer, head)) log.info("audit.head", { accountId, head: nameHead(head) });
        else log.error("audit.chain_broken", { accountId, problem: "The head was changed." });
      }
      return false;
    },
  });
}

function isAuthentic(sealer: Sealer, head: SealedHead): boolean {
  const key = openAuditKey(sealer, head);
  return key !== null && isSameMac(head.headMac, macOfHead(key, head));
}

const batchSize = 1_000;

/**
 * Removes entries that are older than the retention of audit logs, oldest first. Those that the
 * account's receiver hasn't accepted yet stay.
 */
export function sweepAuditJob({ db, sealer, auditRetentionDays }: AuditOptions): Job {
  return defineJob({
    kind: "sweep_audit",
    lock: lockNothing,
    async workBatch(_work, signal) {
      if (auditRetentionDays === 0) return false;
      const before = new Date((await readRetentionTime(db)).getTime() - auditRetentionDays * dayMs);
      for (const accountId of await listExpired(db, before))
        while (!signal.aborted && (await removeBatch(db, sealer, { accountId, before })));
      return false;
    },
  });
}

type Expired = { readonly accountId: string; readonly before: Date };

/**
 * Removes one batch, behind a checkpoint from which the rest can be verified. The batch itself is
 * verified first: otherwise an entry that was made older in the database would be removed, and the
 * checkpoint would hide it.
 *
 * @returns true if there may be more
 */
async function removeBatch(db: SqlDatabase, sealer: Sealer, expired: Expired): Promise<boolean> {
  const { accountId, before } = expired;
  return await db.$transaction(async (tx) => {
    const head = await lockHead(tx, accountId);
    if (head === null) return false;
    const from = { seq: head.keptAfter, limit: batchSize };
    const entries = await readEntriesAfter(tx, accountId, from);
    const sentSeq = await readSentSeq(tx, accountId);
    const kept = entries.findIndex(
      ({ at, seq }) => at >= before || (sentSeq !== null && seq > sentSeq),
    );
    const removed = kept === -1 ? entries : entries.slice(0, kept);
    const last = removed.at(-1);
    if (last === undefined) return false;
    const key = openAuditKey(sealer, head);
    if (key === null || !isWhole(key, head, removed)) {
      log.error("audit.chain_broken", { accountId, problem: "Old entries were changed." });
      return false;
    }
    await removeUntil(tx, { ...last, checkpointMac: macOfCheckpoint(key, last) });
    log.info("audit.swept", { accountId, entries: removed.length, upTo: String(last.seq) });
    return removed.length === batchSize;
  });
}

function isWhole(key: Uint8Array, head: SealedHead, entries: readonly StoredEntry[]): boolean {
  let before = head.keptMac ?? firstMac;
  let { keptAfter: seq } = head;
  if (seq > 0n) {
    const code = macOfCheckpoint(key, { ...head, seq, mac: before });
    if (head.checkpointMac === null || !isSameMac(head.checkpointMac, code)) return false;
  }
  return entries.every((entry) => {
    const isNext = entry.seq === seq + 1n && isSameMac(entry.mac, macOfEntry(key, entry, before));
    seq = entry.seq;
    before = entry.mac;
    return isNext;
  });
}
