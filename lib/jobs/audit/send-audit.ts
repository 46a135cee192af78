import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { toAuditEvent } from "#lib/core/people/audit/audit-event.ts";
import { openReceiverSecret } from "#lib/core/people/audit/receiver-secret.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { nextDelayMs } from "#lib/core/sending/retry/retry-delay.ts";
import {
  type ClaimedEntry,
  claimEntries,
  recordNotSent,
  recordSent,
} from "#lib/db/audit/audit-queue.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { type PostParts, type PostResult, postSigned } from "#lib/net/post-event.ts";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { fillPlaces } from "../fill-places.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";

export type SendAuditOptions = PostParts & {
  readonly db: SqlDatabase;
  readonly sealer: Sealer;
};

/** Longer than the longest try. After it, another worker sends the entry. */
const leaseMs = 60_000;
/** Accounts whose entries one process sends at the same time. */
const atOnce = 10;
/** Entries wait behind one that fails, so a receiver that is back gets them within the hour. */
const policy = { ...defaultRetryPolicy, maxDelayMs: 3_600_000 };

/**
 * Sends audit logs to their receivers, each in the order of its numbers, one entry at a time. An entry
 * is tried until it is accepted: giving up would be a gap.
 */
export function sendAuditJob(parts: SendAuditOptions): Job {
  return defineJob({
    kind: "send_audit",
    lock: lockNothing,
    async workBatch(_work, signal) {
      return await fillPlaces({
        ...{ places: atOnce, signal },
        async claim(limit) {
          const lease = { leaseId: newId(), leaseMs };
          const entries = await claimEntries(parts.db, { ...lease, limit });
          return entries.map((entry) => () => send(entry, lease.leaseId, parts));
        },
      });
    },
  });
}

async function send(
  entry: ClaimedEntry,
  leaseId: string,
  { db, sealer, ...post }: SendAuditOptions,
): Promise<void> {
  const { accountId, receiverUrl, attemptNumber, seq } = entry;
  const secret = openReceiverSecret(sealer, entry);
  const payload = toAuditEvent(entry);
  const result: PostResult =
    secret === null
      ? reject("The signing secret can't be decrypted. Rotate it.")
      : await postSigned(receiverUrl, { id: payload.id, payload, secret }, post);
  if (result.ok) return await recordSent(db, { accountId, leaseId }, seq);
  const { message, retryAfterMs } = result;
  if (attemptNumber === 1) log.warn("audit.not_sent", { accountId, seq: String(seq), message });
  const random = Math.random();
  // A receiver may ask for later, but not for longer than the docs say.
  const delayMs = nextDelayMs({ attemptNumber, policy, retryAfterMs, random });
  const retryInMs = Math.min(delayMs, policy.maxDelayMs);
  const host = new URL(receiverUrl).host;
  await recordNotSent(db, { accountId, leaseId }, { message, retryInMs, host });
}

function reject(message: string): PostResult {
  return { ok: false, message, isPermanent: true, retryAfterMs: null };
}
