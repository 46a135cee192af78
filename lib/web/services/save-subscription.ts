/** Saves subscriptions, and asks new receiver URLs whether they want events. */
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { enableSubscription } from "#lib/db/subscriptions/subscription-status.ts";
import {
  createSubscription,
  getSubscription,
  type NewSubscription,
  updateSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import type { SubscriptionInput, SubscriptionPatch } from "#lib/schema/sender/subscription.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { challengeNewUrl, checkChallenge } from "./check-challenge.ts";

/** It stays pending if its receiver URL has to answer a challenge and doesn't. */
export async function createCheckedSubscription(
  context: ServerContext,
  accountId: string,
  input: SubscriptionInput,
): Promise<NewSubscription> {
  const { db, sealer, env } = context;
  const rules = { sealer, allowList: env.egressAllow };
  const { subscription, secret } = await createSubscription(db, accountId, input, rules);
  return { subscription: await challengeNewUrl(context, subscription), secret };
}

export async function updateCheckedSubscription(
  context: ServerContext,
  accountId: string,
  subscriptionId: string,
  patch: SubscriptionPatch,
): Promise<SubscriptionRecord> {
  const { db, sealer, env } = context;
  const rules = { sealer, allowList: env.egressAllow };
  const before = await getSubscription(db, accountId, subscriptionId);
  const saved = await updateSubscription(db, accountId, subscriptionId, patch, rules);
  const isNewUrl = saved.receiverUrl !== before.receiverUrl;
  return isNewUrl ? await challengeNewUrl(context, saved) : saved;
}

/** Enables a disabled subscription. A pending one is asked again, and `conflict` says why not. */
export async function enableCheckedSubscription(
  context: ServerContext,
  accountId: string,
  subscriptionId: string,
): Promise<SubscriptionRecord> {
  const before = await getSubscription(context.db, accountId, subscriptionId);
  if (before.status !== "pending")
    return await enableSubscription(context.db, accountId, subscriptionId);
  const after = await checkChallenge(context, before);
  if (after.status === "active") return after;
  throw new AppError("conflict", after.statusReason?.detail ?? "The receiver URL didn't answer.");
}
