import { subscriptionQuerySchema } from "#lib/schema/send/subscription.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

export const subscriptionFilters = ["q", "status", "recipient", "eventType"] as const;

/** The filters of a list of subscriptions, as in its URL. */
export function readSubscriptionQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, {
    names: subscriptionFilters,
    schema: subscriptionQuerySchema,
    nowMs,
  });
}
