import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { sealReceiverSecret } from "#lib/core/people/audit/receiver-secret.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import { auditProblemKey } from "#lib/db/audit/audit-queue.ts";
import {
  type AuditReceiverRecord,
  changeAuditReceiver,
  findAuditReceiver,
  getAuditReceiver as getReceiver,
  insertAuditReceiver,
  deleteAuditReceiver as removeReceiver,
} from "#lib/db/audit/audit-receiver.ts";
import { listEntries } from "#lib/db/audit/list-entries.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { resolveProblem } from "#lib/db/problems/record-problems.ts";
import { auditQuerySchema, auditReceiverSchema } from "#lib/schema/account/audit.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireReceiverUrl } from "#lib/services/subscriptions/subscription-rules.ts";
import { generateSecret } from "#lib/services/subscriptions/subscription-secrets.ts";

export type { AuditRecord } from "#lib/db/audit/list-entries.ts";
export type { AuditReceiverRecord };

/** The account's audit log, newest first. */
export const listAuditEntries = service({
  permission: "audit:read",
  input: auditQuerySchema,
  run: ({ db, actor }, { limit, cursor, ...filter }) =>
    listEntries(db, actor.accountId, filter, { limit, cursor }),
});

/** `secret` signs each entry, and is shown once. Null: it is the one from before. */
export type NewAuditReceiver = {
  readonly receiver: AuditReceiverRecord;
  readonly secret: string | null;
};

/** The URL that gets the account's audit log, and how far it has come. Throws `not_found`. */
export const getAuditReceiver = service({
  permission: "audit:read",
  input: z.strictObject({}),
  run: ({ db, actor }) => getReceiver(db, actor.accountId),
});

/**
 * Sends the account's audit log to a URL: from this change's own entry on, or from a given number on.
 * A receiver that is there already is changed, and tried at once.
 */
export const putAuditReceiver = service({
  permission: "audit:write",
  input: auditReceiverSchema,
  run: async (context, { receiverUrl, afterSeq }): Promise<NewAuditReceiver> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    requireReceiverUrl(receiverUrl, context);
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const before = await findAuditReceiver(tx, accountId);
      const newest = (await lockHead(tx, accountId))?.seq ?? 0n;
      const sentSeq = afterSeq === undefined ? undefined : requireKnown(afterSeq, newest);
      const secret = before === null ? generateSecret() : null;
      if (secret !== null) {
        const ciphertext = sealReceiverSecret(sealer, accountId, secret);
        const row = { accountId, receiverUrl, ciphertext, sentSeq: sentSeq ?? newest };
        await insertAuditReceiver(tx, row);
      } else {
        const moved = sentSeq === undefined ? {} : { sentSeq };
        await changeAuditReceiver(tx, accountId, { receiverUrl, ...moved });
      }
      const event = before === null ? "audit.receiver.created" : "audit.receiver.updated";
      const after = await getReceiver(tx, accountId);
      await record(context, tx, { event, before, after });
      return { receiver: await getReceiver(tx, accountId), secret };
    });
  },
});

/** Signs with a new secret from now on. Throws `not_found`. */
export const rotateAuditReceiverSecret = service({
  permission: "audit:write",
  input: z.strictObject({}),
  run: async (context): Promise<NewAuditReceiver> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    const secret = generateSecret();
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const before = await getReceiver(tx, accountId);
      const ciphertext = sealReceiverSecret(sealer, accountId, secret);
      await changeAuditReceiver(tx, accountId, { ciphertext });
      await record(context, tx, { event: "audit.receiver.secret.rotated", before, after: before });
      return { receiver: await getReceiver(tx, accountId), secret };
    });
  },
});

/** Sends the audit log nowhere from now on. Throws `not_found`. */
export const deleteAuditReceiver = service({
  permission: "audit:write",
  input: z.strictObject({}),
  run: async (context): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const before = await getReceiver(tx, actor.accountId);
      await removeReceiver(tx, actor.accountId);
      await resolveProblem(tx, actor.accountId, auditProblemKey, "deleted");
      await record(context, tx, { event: "audit.receiver.deleted", before, after: before });
    });
  },
});

function requireKnown(afterSeq: number, newest: bigint): bigint {
  if (afterSeq <= newest) return BigInt(afterSeq);
  throw invalidField("afterSeq", `must be at most ${newest}, the number of the newest entry`);
}

type Change = {
  readonly event: string;
  readonly before: AuditReceiverRecord | null;
  readonly after: AuditReceiverRecord;
};

/** Without the path and the query of the URL, which may contain a key. */
async function record(
  context: ServiceContext,
  tx: Transaction,
  { event, before, after }: Change,
): Promise<void> {
  const name = new URL(after.receiverUrl).host;
  const targets = [{ type: "audit_receiver", id: context.actor.accountId, name }];
  const shown = before === null ? {} : { before: toShown(before), after: toShown(after) };
  await audit(context, { event, targets, ...shown }, tx);
}

function toShown({ receiverUrl, sentSeq }: AuditReceiverRecord) {
  return { host: new URL(receiverUrl).host, sentSeq };
}
