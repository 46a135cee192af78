import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { storeTestEvent } from "#lib/db/events/store-test-event.ts";
import type { SubscriptionScope } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/**
 * Sends a test event to one subscription, with the example of its type from the catalog. No other
 * subscription gets it.
 */
export async function sendTestEvent(
  { db }: ServerContext,
  accountId: string,
  subscriptionId: string,
  { eventType }: { readonly eventType?: string | undefined },
  scope: SubscriptionScope = {},
): Promise<{ readonly eventId: string; readonly runId: string; readonly type: string }> {
  const subscription = await getSubscription(db, accountId, subscriptionId, scope);
  const { id, recipient, status, eventTypes } = subscription;
  if (status !== "active")
    throw new AppError("conflict", `This subscription is ${status}, so it gets no events.`);
  const type = eventType ?? eventTypes.find((name) => !name.includes("*")) ?? "test.event";
  const entry = await findEventType(db, accountId, type);
  const written = stringifyExactJson(entry?.example ?? { message: "This is a test event." });
  const dataJson = written.ok ? written.text : "{}";
  const event = { accountId, subscriptionId: id, recipient, type, dataJson };
  return { ...(await storeTestEvent(db, event)), type };
}
