import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { AppError } from "#lib/errors.ts";
import {
  type SubscriptionRecord,
  type SubscriptionScope,
  writeStatusReason,
} from "./subscription-record.ts";
import { getSubscription, lockSubscription } from "./subscriptions.ts";

/** It gets no events until it is enabled. Its open runs are held. */
export async function disableSubscription(
  db: Database,
  accountId: string,
  subscriptionId: string,
  scope: SubscriptionScope = {},
): Promise<SubscriptionRecord> {
  const reason = writeStatusReason({ code: "manual", detail: "It was disabled manually." });
  return await db.$transaction(async (tx) => {
    const { id, status } = await lockSubscription(tx, accountId, subscriptionId, scope);
    if (status === "pending") {
      throw new AppError(
        "conflict",
        "This subscription is pending, so it gets no events. Delete it if it isn't wanted.",
      );
    }
    await tx.$executeRaw`
      update subscriptions set status = 'disabled', status_reason = ${reason}, updated_at = now()
      where id = ${id}::uuid and status = 'active'`;
    return await getSubscription(tx, accountId, id);
  });
}

/**
 * Enables a disabled subscription: held runs start at once, and the clock of its failures starts
 * again. Throws `conflict` for a pending one, which has to answer the challenge
 * (`completeChallenge`).
 */
export async function enableSubscription(
  db: Database,
  accountId: string,
  subscriptionId: string,
  scope: SubscriptionScope = {},
): Promise<SubscriptionRecord> {
  const enabled = await db.$transaction(async (tx) => {
    const { id, status } = await lockSubscription(tx, accountId, subscriptionId, scope);
    if (status === "pending")
      throw new AppError("conflict", "The receiver URL has to answer the challenge first.");
    if (status === "disabled") {
      await tx.$executeRaw`
        update subscriptions set status = 'active', status_reason = null, updated_at = now() where id = ${id}::uuid`;
      await tx.$executeRaw`delete from subscription_health where subscription_id = ${id}::uuid`;
      await tx.$executeRaw`
        update notices set dismissed_at = now() where subscription_id = ${id}::uuid and dismissed_at is null`;
    }
    return await getSubscription(tx, accountId, id);
  });
  notifyRunsDue(db);
  return enabled;
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
