import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { NoticeRecord } from "./notices.ts";
import { type SubscriptionRecord, writeStatusReason } from "./subscription-record.ts";
import { getSubscription } from "./subscriptions.ts";

/** Disables a locked subscription that is active. Its open runs are held. */
export async function markDisabled(tx: Transaction, id: string): Promise<void> {
  const statusReason = writeStatusReason({ code: "manual", detail: "It was disabled manually." });
  await tx.subscription.updateMany({
    where: { id, status: "active" },
    data: { status: "disabled", statusReason, updatedAt: new Date() },
  });
  await dismissNotices(tx, id, "subscription_failing");
}

/** Enables a locked subscription that is disabled. Its time of failures starts again. */
export async function markEnabled(tx: Transaction, id: string): Promise<void> {
  await tx.subscription.update({
    where: { id },
    data: { status: "active", statusReason: null, updatedAt: new Date() },
    select: { id: true },
  });
  await forgetFailures(tx, id, "active");
}

/**
 * Starts the time of failures again, with the status that the subscription has now. Its notices are
 * over, unless it is still disabled.
 */
export async function forgetFailures(
  tx: Transaction,
  subscriptionId: string,
  status: SubscriptionRecord["status"],
): Promise<void> {
  await tx.subscriptionHealth.deleteMany({ where: { subscriptionId } });
  if (status === "disabled") await dismissNotices(tx, subscriptionId, "subscription_failing");
  else await dismissNotices(tx, subscriptionId);
}

/** Hides the notices of a subscription that are no longer true: all, or those of a kind. */
async function dismissNotices(
  tx: Transaction,
  subscriptionId: string,
  kind?: NoticeRecord["kind"],
): Promise<void> {
  await tx.notice.updateMany({
    where: { subscriptionId, dismissedAt: null, ...(kind && { kind }) },
    data: { dismissedAt: new Date() },
  });
}

/**
 * Activates a pending subscription whose receiver URL has passed the challenge. Does nothing if the
 * URL has changed meanwhile.
 */
export async function completeChallenge(
  db: Database,
  accountId: string,
  answered: Pick<SubscriptionRecord, "id" | "receiverUrl">,
): Promise<SubscriptionRecord> {
  await db.subscription.updateMany({
    where: isAwaiting(accountId, answered),
    data: { status: "active", statusReason: null, updatedAt: new Date() },
  });
  notifyRunsDue(db);
  return await getSubscription(db, accountId, answered.id);
}

/** Records why the challenge failed. */
export async function recordFailedChallenge(
  db: Database,
  accountId: string,
  answered: Pick<SubscriptionRecord, "id" | "receiverUrl">,
  detail: string,
): Promise<SubscriptionRecord> {
  const statusReason = writeStatusReason({ code: "challenge", detail });
  await db.subscription.updateMany({
    where: isAwaiting(accountId, answered),
    data: { statusReason, updatedAt: new Date() },
  });
  return await getSubscription(db, accountId, answered.id);
}

/** Condition for a subscription that is still pending, with the same receiver URL. */
function isAwaiting(
  accountId: string,
  { id, receiverUrl }: Pick<SubscriptionRecord, "id" | "receiverUrl">,
) {
  return { id, accountId, deletedAt: null, status: "pending", receiverUrl };
}
