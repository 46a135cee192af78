import { z } from "zod";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { listRecipients } from "#lib/db/recipients/recipients.ts";
import { countSubscriptions, listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";
import { recipientId } from "#lib/schema/send/recipient.ts";
import { service } from "#lib/services/frame/service.ts";

/** The maximum of each list to choose from. Anything else can be typed. */
const maxOffered = 300;

/**
 * What an event to send can name, and the newest active subscription with this type and recipient,
 * as far as they are given.
 */
export const readSendOptions = service({
  permission: "events:read",
  input: z.strictObject({ type: eventTypeName.optional(), recipient: recipientId.optional() }),
  run: async ({ db, actor }, { type: eventType, recipient }) => {
    const { accountId } = actor;
    const filter = { status: "active", eventType, recipient } as const;
    const [types, recipients, newest, statuses, reached] = await Promise.all([
      listKnownTypes(db, accountId, maxOffered),
      listRecipients(db, accountId, {}, { limit: maxOffered }),
      listEvents(db, accountId, {}, { limit: 1 }),
      countSubscriptions(db, accountId),
      listSubscriptions(db, accountId, filter, { limit: 1 }),
    ]);
    return {
      types,
      recipients: recipients.items.map(({ id, name }) => ({ id, name })),
      newestEventId: newest.items[0]?.internalId ?? null,
      subscriptionCount: Object.values(statuses).reduce((sum, count) => sum + count, 0),
      reached: reached.items[0] ?? null,
    };
  },
});

/** The catalog's entry of an event type. Null: there is none. */
export const findCatalogEntry = service({
  permission: "events:read",
  input: z.strictObject({ type: recordId }),
  run: ({ db, actor }, { type }) => findEventType(db, actor.accountId, type),
});
