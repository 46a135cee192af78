import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { explainSubscription as explain } from "#lib/core/sending/explain-subscription.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { byId } from "#lib/schema/field/common.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { toLastSend } from "./last-send.ts";

/** A subscription, and whether its receiver gets events, in a sentence. Throws `not_found`. */
export const explainSubscription = service({
  permission: "subscriptions:read",
  input: byId,
  run: async (context, input) => {
    const { db, actor } = context;
    const subscription = await getSubscription(db, actor.accountId, input.id);
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
