import { cache } from "react";
import { listPortalLinks } from "#lib/db/recipients/portal-links.ts";
import { countFailing, getRecipient, listRecipients } from "#lib/db/recipients/recipients.ts";
import { recipientQuerySchema } from "#lib/schema/sender/recipient.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readLatestEvents } from "#lib/web/events/read-event-list.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { readPage } from "#lib/web/request/read-page.ts";
import { readSubscriptionsOf } from "#lib/web/subscriptions/read-subscription-list.ts";

const pageSize = 50;
const names = ["q"] as const;
const shownSubscriptions = 50;
const shownEvents = 20;
const shownLinks = 20;

/** A page of recipients for a URL, by id. */
export async function readRecipientList(
  { db }: ServiceContext,
  accountId: string,
  params: SearchParams,
) {
  const nowMs = Date.now();
  const query = readListQuery(params, { names, schema: recipientQuerySchema, nowMs });
  const { values, problems, filter, cursor } = query;
  const page = await readPage(problems, () =>
    listRecipients(db, accountId, filter, { limit: pageSize, cursor }),
  );
  const ids = page.items.map(({ id }) => id);
  const failing = await countFailing(db, accountId, ids);
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: values.q !== "",
    recipients: page.items.map(({ id, name, subscriptionCount, createdAt }) => ({
      id,
      ...(name !== null && { name }),
      subscriptions: subscriptionCount,
      ...(failing.has(id) && { failing: failing.get(id) ?? 0 }),
      at: createdAt.getTime(),
    })),
    links: pageLinks("/recipients", query, page.nextCursor),
  };
}

/** A recipient with what belongs to it, read once for its page and title. Throws `not_found`. */
export const readRecipientPage = cache((context: ServiceContext, id: string) =>
  readRecipient(context, context.actor.accountId, id),
);

async function readRecipient(context: ServiceContext, accountId: string, recipientId: string) {
  const { db } = context;
  const recipient = await getRecipient(db, accountId, recipientId);
  const { id } = recipient;
  const [subscriptions, events, links] = await Promise.all([
    readSubscriptionsOf(context, accountId, id, { limit: shownSubscriptions }),
    readLatestEvents(context, accountId, { recipient: id }, shownEvents),
    listPortalLinks(db, accountId, id),
  ]);
  return {
    nowMs: Date.now(),
    recipient,
    subscriptions,
    events,
    links: links.slice(0, shownLinks),
  };
}
