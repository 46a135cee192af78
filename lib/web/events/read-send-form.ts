import { proposeType } from "#lib/core/sender/propose-event.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRecipients } from "#lib/db/recipients/recipients.ts";
import { countSubscriptions, listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { eventTypeName } from "#lib/schema/sender/event-type.ts";
import { recipientId } from "#lib/schema/sender/recipient.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readSignatureHeaders } from "#lib/web/account/page.ts";
import { toText } from "#lib/web/event-types/read-event-types.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

/** The maximum of each list to choose from. Anything else can be typed. */
const maxOffered = 300;

/**
 * The form that sends an event, filled in so that it reaches a subscription: with the type and the
 * recipient of the URL, or those of the newest active subscription.
 */
export async function readSendForm(
  context: ServiceContext,
  accountId: string,
  params: SearchParams,
) {
  const { db, env } = context;
  const given = {
    type: eventTypeName.safeParse(params.type).data,
    recipient: recipientId.safeParse(params.recipient).data,
  };
  const [types, recipients, newest, statuses, reached, signatureHeaders] = await Promise.all([
    listKnownTypes(db, accountId, maxOffered),
    listRecipients(db, accountId, {}, { limit: maxOffered }),
    listEvents(db, accountId, {}, { limit: 1 }),
    countSubscriptions(db, accountId),
    findReached(db, accountId, given),
    readSignatureHeaders(context, accountId),
  ]);
  const type = given.type ?? proposeType(reached?.eventTypes ?? [], types);
  return {
    draft: {
      type,
      recipient: given.recipient ?? reached?.recipient ?? "",
      data: await readExample(db, accountId, type),
    },
    types,
    recipients: recipients.items.map(({ id, name }) => ({ id, name })),
    publishUrl: `${env.publicUrl}/api/v1/events`,
    subscriptionCount: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    signatureHeaders,
    afterId: newest.items[0]?.internalId ?? "",
  };
}

/** The newest active subscription with this type and recipient, as far as they are given. */
async function findReached(
  db: ServiceContext["db"],
  accountId: string,
  {
    type,
    recipient,
  }: { readonly type?: string | undefined; readonly recipient?: string | undefined },
) {
  const filter = { status: "active", eventType: type, recipient } as const;
  const { items } = await listSubscriptions(db, accountId, filter, { limit: 1 });
  return items[0];
}

/** The catalog's example of a type as text, or something in its place. */
export async function readExample(
  db: ServiceContext["db"],
  accountId: string,
  type: string,
): Promise<string> {
  const entry = await findEventType(db, accountId, type);
  if (entry !== null && entry.example !== null) return toText(entry.example);
  return type === "invoice.paid" && entry === null ? invoice : "{}";
}

const invoice = `{
  "object": {
    "id": "in_1001",
    "amount": 4200,
    "currency": "eur"
  }
}`;
