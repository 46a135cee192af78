import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import type { AuditFacts } from "#lib/schema/account/audit.ts";
import { entryColumns } from "./audit-log.ts";

/** The next entry of an account, which this process is to send until its lease ends. */
export type ClaimedEntry = AuditFacts & {
  readonly accountId: string;
  readonly receiverUrl: string;
  /** Sealed at `auditReceiverPlace`. */
  readonly ciphertext: Uint8Array;
  /** Counted from 1. */
  readonly attemptNumber: number;
  readonly seq: bigint;
  readonly mac: Uint8Array;
};

type Claim = { readonly leaseId: string; readonly leaseMs: number; readonly limit: number };

/**
 * Leases the receivers that have an entry to get, with the first entry that they haven't accepted. If
 * this process dies, the lease ends and another one sends the same entry.
 */
export async function claimEntries(
  db: SqlDatabase,
  { leaseId, leaseMs, limit }: Claim,
): Promise<readonly ClaimedEntry[]> {
  // A stored time is rounded to milliseconds, so it may be later than the moment that it stands for.
  return await db.$queryRaw<ClaimedEntry[]>`
    with due as materialized (
      select r.account_id from audit_receivers r
        join audit_chains c on c.account_id = r.account_id and c.seq > r.sent_seq
      where r.due_at <= now()::timestamptz(3) and (r.leased_until is null or r.leased_until < now())
      order by r.due_at limit ${limit}::int for update of r skip locked
    ), claimed as (
      update audit_receivers r
      set lease_id = ${leaseId}::uuid, leased_until = now() + ${leaseMs}::int * interval '1 ms', attempt_count = attempt_count + 1
      from due where r.account_id = due.account_id
      returning r.*
    )
    select r.account_id as "accountId", r.receiver_url as "receiverUrl", r.ciphertext, r.attempt_count as "attemptNumber", e.*
    from claimed r cross join lateral (
      select ${entryColumns}, targets, changes, mac from audit_entries
      where account_id = r.account_id and seq > r.sent_seq order by seq limit 1
    ) e`;
}

type Sent = { readonly accountId: string; readonly leaseId: string };

/**
 * Records that an entry was accepted, which ends the problem. Only the holder of the lease moves on to
 * the next one.
 */
export async function recordSent(
  db: SqlDatabase,
  { accountId, leaseId }: Sent,
  seq: bigint,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const moved = await tx.$executeRaw`
      update audit_receivers set sent_seq = ${seq}::bigint, sent_at = now(), attempt_count = 0, failing_since = null,
        failure = null, due_at = now(), lease_id = null, leased_until = null
      where account_id = ${accountId}::uuid and lease_id = ${leaseId}::uuid`;
    if (moved > 0) await resolveProblem(tx, accountId, auditProblemKey);
  });
}

type Failure = { readonly message: string; readonly retryInMs: number; readonly host: string };

/**
 * Records that an entry wasn't accepted, which is a problem. It is sent again later, and the ones after
 * it wait.
 */
export async function recordNotSent(
  db: SqlDatabase,
  { accountId, leaseId }: Sent,
  { message, retryInMs, host }: Failure,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const failed = await tx.$executeRaw`
      update audit_receivers set failing_since = coalesce(failing_since, now()), failure = ${message},
        due_at = now() + ${retryInMs}::int * interval '1 ms', lease_id = null, leased_until = null
      where account_id = ${accountId}::uuid and lease_id = ${leaseId}::uuid`;
    if (failed === 0) return;
    const details = { kind: "audit_failing", host, message } as const;
    const problem = { accountId, kind: details.kind, key: auditProblemKey, details };
    await openProblem(tx, { ...problem, at: new Date() });
  });
}

/** An account has at most one receiver. */
export const auditProblemKey = "audit";
