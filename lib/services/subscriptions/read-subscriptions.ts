import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { explainSubscription as explain } from "#lib/core/sending/explain-subscription.ts";
import { toTestEventId } from "#lib/db/events/event-record.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import { listSubscriptions as findSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription as findSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { byId } from "#lib/schema/field/common.ts";
import { subscriptionQuerySchema } from "#lib/schema/send/subscription.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export {
  type SubscriptionRecord,
  writeStatusReason,
} from "#lib/db/subscriptions/subscription-record.ts";
export { readPublicKeys } from "#lib/db/subscriptions/subscription-secrets.ts";

/** Throws `not_found` if it is deleted or another account's. */
export const getSubscription = service({
  permission: "subscriptions:read",
  input: byId,
  run: ({ db, actor }, { id }) => findSubscription(db, actor.accountId, id),
});

/** The account's subscriptions, newest first. */
export const listSubscriptions = service({
  permission: "subscriptions:read",
  input: subscriptionQuerySchema,
  run: ({ db, actor }, query) => findSubscriptions(db, actor.accountId, query, query),
});

/** The same, each with its newest send. */
export const listSubscriptionRows = service({
  permission: "subscriptions:read",
  input: subscriptionQuerySchema,
  run: async ({ db, actor }, query) => {
    const page = await findSubscriptions(db, actor.accountId, query, query);
    const ids = page.items.map(({ id }) => id);
    const sends = await readLastSends(db, actor.accountId, ids);
    const items = page.items.map((item) => ({ ...item, last: sends.get(item.id) ?? null }));
    return { items, nextCursor: page.nextCursor };
  },
});

/** A subscription, and whether its receiver gets events, in a sentence. Throws `not_found`. */
export const explainSubscription = service({
  permission: "subscriptions:read",
  input: byId,
  run: async (context, input) => {
    const { db, actor } = context;
    const subscription = await findSubscription(db, actor.accountId, input.id);
    const { id, failingSince } = subscription;
    const newest = (await readLastSends(db, actor.accountId, [id])).get(id) ?? null;
    // A subscription that sends in order fails with an older event, and the newest ones wait for it.
    const isWaiting = failingSince !== null && newest?.status === "queued";
    const last = (isWaiting ? await readRetried(context, id) : null) ?? newest;
    const explanation = explain({
      ...subscription,
      isFailing: failingSince !== null,
      last: last === null ? null : toLastSend(last),
      published: last === null ? await findPublished(context, subscription) : "matching",
    });
    return { subscription, explanation };
  },
});

async function readRetried({ db, actor }: ServiceContext, subscriptionId: string) {
  const filter = { subscriptionId, status: "retrying" } as const;
  const { items } = await listRuns(db, actor.accountId, filter, { limit: 1 });
  const ids = items.map((run) => run.id);
  const [row] = await readRunRows(db, actor.accountId, ids);
  return row ?? null;
}

/** The number of latest events searched for the reason why nothing was sent. */
const searchedEvents = 200;

async function findPublished(
  { db, actor }: ServiceContext,
  { recipient, eventTypes, createdAt }: SubscriptionRecord,
) {
  const filter = recipient === null ? {} : { recipient };
  const { items } = await listEvents(db, actor.accountId, filter, { limit: searchedEvents });
  const own = items.filter((event) => event.recipient === recipient);
  const matching = own.filter(({ type }) => matchesAny(eventTypes, type));
  if (own.length === 0) return "none";
  if (matching.length === 0) return "other_types";
  return matching.some((event) => event.createdAt > createdAt) ? "matching" : "before_it";
}

/** The newest send of a subscription, as its explanation needs it. */
export function toLastSend({ status, httpStatus, reason, eventId, internalEventId }: RunListItem) {
  const isTest = internalEventId !== null && eventId === toTestEventId(internalEventId);
  return { status, httpStatus, code: reason?.code ?? null, detail: reason?.detail ?? null, isTest };
}
