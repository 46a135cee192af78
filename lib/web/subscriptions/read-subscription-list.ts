import type { PageRequest } from "#lib/core/api/page.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { pageLinks, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";
import { readSubscriptionQuery } from "#lib/web/subscriptions/read-subscription-query.ts";

const pageSize = 50;

/** A page of subscriptions for a URL. */
export async function readSubscriptionList(
  context: ServiceContext,
  accountId: string,
  params: SearchParams,
) {
  const nowMs = Date.now();
  const query = readSubscriptionQuery(params, nowMs);
  const { values, problems, filter, cursor } = query;
  const page = await readPage(problems, () =>
    listSubscriptions(context.db, accountId, filter, { limit: pageSize, cursor }),
  );
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    subscriptions: await withLastSends(context, accountId, page.items),
    links: pageLinks("/subscriptions", query, page.nextCursor),
  };
}

/** The subscriptions of one recipient, for its page. */
export async function readSubscriptionsOf(
  context: ServiceContext,
  accountId: string,
  recipient: string,
  page: PageRequest,
) {
  const { items, nextCursor } = await listSubscriptions(context.db, accountId, { recipient }, page);
  return { items: await withLastSends(context, accountId, items), isMore: nextCursor !== null };
}

async function withLastSends(
  { db }: ServiceContext,
  accountId: string,
  subscriptions: readonly SubscriptionRecord[],
) {
  const ids = subscriptions.map(({ id }) => id);
  const sends = await readLastSends(db, accountId, ids);
  return subscriptions.map((subscription) => {
    const send = sends.get(subscription.id);
    return {
      id: subscription.id,
      receiverUrl: subscription.receiverUrl,
      description: subscription.description,
      recipient: subscription.recipient,
      eventTypes: subscription.eventTypes,
      status: subscription.status,
      statusReason: subscription.statusReason,
      failingSince: subscription.failingSince,
      last:
        send === undefined
          ? null
          : { status: send.status, httpStatus: send.httpStatus, at: send.createdAt },
    };
  });
}
