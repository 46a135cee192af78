import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";

/** Where an account's audit log is sent, and how far it has come. */
export type AuditReceiverRecord = {
  readonly receiverUrl: string;
  /** The number of the newest entry that was accepted. */
  readonly sentSeq: number;
  readonly sentAt: Date | null;
  /** The number of entries that wait. */
  readonly waiting: number;
  /** How the newest try failed. Null: it didn't. */
  readonly failure: SendFailure | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type SendFailure = {
  readonly message: string;
  readonly since: Date;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
};

/** Null: the account has none. */
export async function findAuditReceiver(
  db: Database | Transaction,
  accountId: string,
): Promise<AuditReceiverRecord | null> {
  const where = { accountId };
  const [row, chain] = [
    await db.auditReceiver.findUnique({ where }),
    await db.auditChain.findUnique({ where, select: { seq: true, keptAfter: true } }),
  ];
  if (row === null) return null;
  const { receiverUrl, sentAt, failure, failingSince, attemptCount, dueAt, ...times } = row;
  const sentSeq = Number(row.sentSeq);
  const from = Math.max(sentSeq, Number(chain?.keptAfter ?? 0n));
  return {
    receiverUrl,
    sentSeq,
    sentAt,
    waiting: Math.max(0, Number(chain?.seq ?? 0n) - from),
    failure:
      failure === null || failingSince === null
        ? null
        : { message: failure, since: failingSince, attempts: attemptCount, nextAttemptAt: dueAt },
    createdAt: times.createdAt,
    updatedAt: times.updatedAt,
  };
}

/** Throws `not_found`. */
export async function getAuditReceiver(
  db: Database | Transaction,
  accountId: string,
): Promise<AuditReceiverRecord> {
  const found = await findAuditReceiver(db, accountId);
  if (found === null) throw notFound("audit receiver");
  return found;
}

type NewReceiver = {
  readonly accountId: string;
  readonly receiverUrl: string;
  readonly ciphertext: Uint8Array;
  readonly sentSeq: bigint;
};

export async function insertAuditReceiver(tx: Transaction, row: NewReceiver): Promise<void> {
  const data = { ...row, ciphertext: new Uint8Array(row.ciphertext) };
  await tx.auditReceiver.create({ data, select: { accountId: true } });
}

type Columns = Partial<Omit<NewReceiver, "accountId">>;

/** Changes the receiver, which is tried at once. What is being sent meanwhile is sent again. */
export async function changeAuditReceiver(
  tx: Transaction,
  accountId: string,
  { ciphertext, ...columns }: Columns,
): Promise<void> {
  const secret = ciphertext === undefined ? {} : { ciphertext: new Uint8Array(ciphertext) };
  const now = new Date();
  const retry = { attemptCount: 0, dueAt: now, leaseId: null, leasedUntil: null };
  const data = { ...columns, ...secret, ...retry, failingSince: null, failure: null };
  await tx.auditReceiver.update({
    where: { accountId },
    data: { ...data, updatedAt: now },
    select: { accountId: true },
  });
}

export async function deleteAuditReceiver(tx: Transaction, accountId: string): Promise<void> {
  await tx.auditReceiver.delete({ where: { accountId }, select: { accountId: true } });
}
