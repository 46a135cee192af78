import { subscriptionQuerySchema } from "#lib/schema/sender/subscription.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

const names = ["q", "status", "recipient", "eventType"] as const;

/** The filters of a list of subscriptions, as in its URL. */
export function readSubscriptionQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: subscriptionQuerySchema, nowMs });
}
