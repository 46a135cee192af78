import type { Database } from "#lib/db/postgres/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { type SubscriptionRecord, writeStatusReason } from "./subscription-record.ts";
import { getSubscription } from "./subscriptions.ts";

/** Of a locked subscription that is active. Its open runs are held. */
export async function markDisabled(tx: SqlStatements, id: string): Promise<void> {
  const reason = writeStatusReason({ code: "manual", detail: "It was disabled manually." });
  await tx.$executeRaw`
    update subscriptions set status = 'disabled', status_reason = ${reason}, updated_at = now()
    where id = ${id}::uuid and status = 'active'`;
}

/** Of a locked subscription that is disabled. The clock of its failures starts again. */
export async function markEnabled(tx: SqlStatements, id: string): Promise<void> {
  await tx.$executeRaw`
    update subscriptions set status = 'active', status_reason = null, updated_at = now() where id = ${id}::uuid`;
  await tx.$executeRaw`delete from subscription_health where subscription_id = ${id}::uuid`;
  await tx.$executeRaw`
    update notices set dismissed_at = now() where subscription_id = ${id}::uuid and dismissed_at is null`;
}

/**
 * Activates a pending subscription whose receiver URL has answered the challenge. Does nothing if
 * the URL has changed meanwhile.
 */
export async function completeChallenge(
  db: Database,
  accountId: string,
  answered: Pick<SubscriptionRecord, "id" | "receiverUrl">,
): Promise<SubscriptionRecord> {
  await db.$executeRaw`
    update subscriptions set status = 'active', status_reason = null, updated_at = now()
    where id = ${answered.id}::uuid and account_id = ${accountId}::uuid and deleted_at is null and status = 'pending'
      and receiver_url = ${answered.receiverUrl}`;
  notifyRunsDue(db);
  return await getSubscription(db, accountId, answered.id);
}

/** Says why the challenge failed. */
export async function noteFailedChallenge(
  db: Database,
  accountId: string,
  answered: Pick<SubscriptionRecord, "id" | "receiverUrl">,
  detail: string,
): Promise<SubscriptionRecord> {
  await db.$executeRaw`
    update subscriptions set status_reason = ${writeStatusReason({ code: "challenge", detail })}, updated_at = now()
    where id = ${answered.id}::uuid and account_id = ${accountId}::uuid and deleted_at is null and status = 'pending'
      and receiver_url = ${answered.receiverUrl}`;
  return await getSubscription(db, accountId, answered.id);
}
