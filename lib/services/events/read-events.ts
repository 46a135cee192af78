import { z } from "zod";
import { mapFew } from "#lib/base/map-few.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import type { EventWithBody } from "#lib/db/events/event-record.ts";
import { getEvent as findEvent } from "#lib/db/events/events.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { listEvents as findEvents } from "#lib/db/events/list-events.ts";
import { countSends, readEventStarts } from "#lib/db/events/list-parts.ts";
import { listRecipients } from "#lib/db/recipients/recipients.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { countSubscriptions, listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { byId, maxPageSize, recordId } from "#lib/schema/field/common.ts";
import { eventQuerySchema } from "#lib/schema/send/event-query.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";
import { recipientId } from "#lib/schema/send/recipient.ts";
import { service } from "#lib/services/frame/service.ts";

export type { EventRecord } from "#lib/db/events/event-record.ts";

export type EventWithRuns = {
  readonly event: EventWithBody;
  readonly runs: readonly RunRecord[];
};

/** An event by its publisher's id or its internal one. Throws `not_found`. */
export const getEvent = service({
  permission: "events:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<EventWithRuns> => {
    const event = await findEvent(db, actor.accountId, id);
    return { event, runs: await listRunsOfEvent(db, actor.accountId, event.internalId) };
  },
});

/** The account's events, newest first. */
export const listEvents = service({
  permission: "events:read",
  input: eventQuerySchema,
  run: ({ db, actor }, query) => findEvents(db, actor.accountId, query, query),
});

/** The counts of the sends of listed events, and the starts of their bodies, by internal id. */
export const readEventParts = service({
  permission: "events:read",
  input: z.strictObject({ ids: z.array(recordId).max(maxPageSize) }),
  run: async ({ db, actor }, { ids }) => {
    const [sends, starts] = await Promise.all([
      countSends(db, actor.accountId, ids),
      readEventStarts(db, actor.accountId, ids),
    ]);
    return { sends, starts };
  },
});

const shownRows = 5;

/** An event with all its sends, and the rows of the first ones. Throws `not_found`. */
export const readFirstSends = service({
  permission: "events:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const event = await findEvent(db, actor.accountId, id);
    const runs = await listRunsOfEvent(db, actor.accountId, event.internalId);
    const ids = runs.slice(0, shownRows).map((run) => run.id);
    return { event, runs, rows: await readRunRows(db, actor.accountId, ids) };
  },
});

/** The newest sends are read with their attempts. */
const maxDetails = 20;

/** An event with its sends, and the attempts of the newest ones. Throws `not_found`. */
export const readEventSends = service({
  permission: "events:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const { accountId } = actor;
    const event = await findEvent(db, accountId, id);
    // First, so that whatever ends meanwhile has the page read once more.
    const runs = await listRunsOfEvent(db, accountId, event.internalId);
    const ids = runs
      .toReversed()
      .slice(0, maxDetails)
      .map((run) => run.id);
    const [rows, details, counts] = await Promise.all([
      readRunRows(db, accountId, ids),
      mapFew(ids, (runId) => getRun(db, accountId, runId)),
      countSends(db, accountId, [event.internalId]),
    ]);
    return { event, runs, rows, details, counts: counts.get(event.internalId) ?? [] };
  },
});

/** The maximum of each list to choose from. Anything else can be typed. */
const maxOffered = 300;

/**
 * The types that an event to send can name, and the newest active subscription with this type and recipient,
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
      findEvents(db, accountId, {}, { limit: 1 }),
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
