import type { z } from "zod";
import { subscriptionQuerySchema } from "#lib/schema/send/subscription.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listSubscriptionRows } from "#lib/services/subscriptions/read-subscriptions.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";

/** A page of subscriptions for a URL. */
export async function readSubscriptionList(context: ServiceContext, params: SearchParams) {
  const names = subscriptionFilters;
  const { items, nowMs, values, problems, isFiltered, links } = await readList(
    context,
    listSubscriptionRows,
    { path: "/subscriptions", names, params },
  );
  return { subscriptions: items.map(toListed), nowMs, values, problems, isFiltered, links };
}

/** The subscriptions of one recipient, for its page. */
export async function readSubscriptionsOf(
  context: ServiceContext,
  query: z.input<typeof listSubscriptionRows.input>,
) {
  const { items, nextCursor } = await listSubscriptionRows(context, query);
  return { items: items.map(toListed), isMore: nextCursor !== null };
}

type Row = Awaited<ReturnType<typeof listSubscriptionRows>>["items"][number];

function toListed({ last, ...subscription }: Row) {
  const { id, receiverUrl, description, recipient, eventTypes } = subscription;
  const { status, statusReason, failingSince } = subscription;
  return {
    ...{ id, receiverUrl, description, recipient, eventTypes, status, statusReason, failingSince },
    last:
      last === null
        ? null
        : { status: last.status, httpStatus: last.httpStatus, at: last.createdAt },
  };
}

const subscriptionFilters = ["q", "status", "recipient", "eventType"] as const;

/** The filters of a list of subscriptions, as in its URL. */
export function readSubscriptionQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, {
    names: subscriptionFilters,
    schema: subscriptionQuerySchema,
    nowMs,
  });
}
