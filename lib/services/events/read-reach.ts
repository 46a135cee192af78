import { explainReach } from "#lib/core/sending/explain-reach.ts";
import {
  findMatching,
  isSubscribed,
  type MatchingSubscription,
} from "#lib/db/events/find-reach.ts";
import type { Topic } from "#lib/db/events/match-subscriptions.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";

export type Reach = {
  /** The active subscriptions that an event would be sent to now. */
  readonly subscriptions: readonly MatchingSubscription[];
  /** The reason why there are none, in sentences. Null: there are some. */
  readonly problem: string | null;
  /** The recipient of a subscription that gets the type, if none here does. Undefined: no one. */
  readonly elsewhere?: string | null;
};

/** The subscriptions that an event reaches, or the reason why it reaches none. */
export async function readReach(db: Database, topic: Topic): Promise<Reach> {
  const matching = await findMatching(db, topic);
  const subscriptions = matching.filter(({ status }) => status === "active");
  if (subscriptions.length > 0) return { subscriptions, problem: null };
  const { accountId, type, recipient } = topic;
  const filter = { status: "active", eventType: type } as const;
  const [subscribed, { items }] = await Promise.all([
    isSubscribed(db, topic),
    listSubscriptions(db, accountId, filter, { limit: 1 }),
  ]);
  const elsewhere = items[0]?.recipient;
  const statuses = matching.map(({ status }) => status);
  const facts = { type, recipient, statuses, isSubscribed: subscribed, elsewhere };
  const problem = explainReach(facts);
  return { subscriptions, problem, ...(elsewhere !== undefined && { elsewhere }) };
}
