import { AppError } from "#lib/base/errors.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { storeTestEvent } from "#lib/db/events/store-test-event.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { subscriptionInputSchema, testEventSchema } from "#lib/schema/send/subscription.ts";
import { type FilterTally, maxEvaluated } from "#lib/services/actions/tally-filter.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { findOwnEvents, mapOwnEvents, passesFilter, toEventView } from "./own-events.ts";
import { toSubscriptionTarget } from "./subscription-rules.ts";

const testEvent = testEventSchema.extend({ id: recordId });

type SentTestEvent = {
  readonly eventId: string;
  readonly runId: string;
  readonly type: string;
};

/**
 * Sends a test event to one subscription, with the example of its type from the catalog. No other
 * subscription gets it.
 */
export const sendTestEvent = service({
  permission: "subscriptions:write",
  input: testEvent,
  portalInput: testEvent,
  run: async (context, { id, eventType }): Promise<SentTestEvent> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const subscription = await getSubscription(db, accountId, id, recipientScope(actor));
    const { recipient, status, eventTypes } = subscription;
    if (status !== "active")
      throw new AppError("conflict", `This subscription is ${status}, so it gets no events.`);
    const type = eventType ?? eventTypes.find((name) => !name.includes("*")) ?? "test.event";
    const entry = await findEventType(db, accountId, type);
    const written = stringifyExactJson(entry?.example ?? { message: "This is a test event." });
    const dataJson = written.ok ? written.text : "{}";
    const event = { accountId, subscriptionId: subscription.id, recipient, type, dataJson };
    const sent = await db.$transaction(async (tx) => {
      const stored = await storeTestEvent(tx, event);
      const targets = [toSubscriptionTarget(subscription)];
      await audit(context, { event: "subscription.tested", targets }, tx);
      return stored;
    });
    notifyRunsDue(db);
    return { ...sent, type };
  },
});

/** The newest events are searched for those that the subscription gets. */
const maxSearched = 200;

/** Counts how many of the subscription's latest events pass its filter. Null: it has none. */
export const tallyEventFilter = service({
  permission: "events:read",
  input: subscriptionInputSchema.pick({ recipient: true, eventTypes: true, filter: true }),
  run: async (context, { recipient, eventTypes, filter }): Promise<FilterTally | null> => {
    if (filter === null) return null;
    const at = { searched: maxSearched, wanted: maxEvaluated };
    const events = await findOwnEvents(context, { recipient, eventTypes }, at);
    const verdicts = await mapOwnEvents(context, events, (event) =>
      passesFilter(context, toEventView(event), filter),
    );
    return { evaluated: verdicts.length, runs: verdicts.filter(Boolean).length };
  },
});
