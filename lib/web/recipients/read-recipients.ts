import { cache } from "react";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getRecipient, listPortalLinks, listRecipientRows } from "#lib/services/recipients.ts";
import { readLatestEvents } from "#lib/web/events/read-event-list.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";
import { readSubscriptionsOf } from "#lib/web/subscriptions/read-subscription-list.ts";

const shownSubscriptions = "50";
const shownEvents = "20";
const shownLinks = 20;

/** A page of recipients for a URL, by id. */
export async function readRecipientList(context: ServiceContext, params: SearchParams) {
  const list = { path: "/recipients", names: ["q"] as const, params };
  const { items, nowMs, values, problems, isFiltered, links } = await readList(
    context,
    listRecipientRows,
    list,
  );
  const recipients = items.map(({ id, name, subscriptionCount, failing, createdAt }) => ({
    id,
    ...(name !== null && { name }),
    subscriptions: subscriptionCount,
    ...(failing > 0 && { failing }),
    at: createdAt.getTime(),
  }));
  return { nowMs, values, problems, isFiltered, recipients, links };
}

/** A recipient with what belongs to it, read once for its page and title. Throws `not_found`. */
export const readRecipientPage = cache(async (context: ServiceContext, wanted: string) => {
  const recipient = await getRecipient(context, { id: wanted });
  const { id } = recipient;
  const [subscriptions, events, links] = await Promise.all([
    readSubscriptionsOf(context, { recipient: id, limit: shownSubscriptions }),
    readLatestEvents(context, { recipient: id, limit: shownEvents }),
    listPortalLinks(context, { id }),
  ]);
  const nowMs = context.now().getTime();
  return { nowMs, recipient, subscriptions, events, links: links.slice(0, shownLinks) };
});
