import { z } from "zod";
import {
  getEventType as findEventType,
  listEventTypes as findEventTypes,
} from "#lib/db/event-types/event-types.ts";
import { readTypeFigures } from "#lib/db/event-types/type-figures.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { eventTypeQuerySchema } from "#lib/schema/send/event-type.ts";
import { service } from "#lib/services/frame/service.ts";

export type { EventTypeRecord } from "#lib/db/event-types/event-types.ts";

/** Throws `not_found` if it isn't in the catalog. */
export const getEventType = service({
  permission: "subscriptions:read",
  input: z.strictObject({ name: recordId }),
  run: ({ db, actor }, { name }) => findEventType(db, actor.accountId, name),
});

/** The catalog, in the order of its names. */
export const listEventTypes = service({
  permission: "subscriptions:read",
  input: eventTypeQuerySchema,
  run: ({ db, actor }, query) => findEventTypes(db, actor.accountId, query, query),
});

/** The time over which the events of a type are counted. */
const countedMs = 7 * 86_400_000;

/** The catalog with the subscribers of each type, and its events of the last week. */
export const listEventTypeRows = service({
  permission: "subscriptions:read",
  input: eventTypeQuerySchema,
  run: async ({ db, actor, now }, query) => {
    const { items, nextCursor } = await findEventTypes(db, actor.accountId, query, query);
    const names = items.map(({ name }) => name);
    const fromMs = now().getTime() - countedMs;
    const figures = await readTypeFigures(db, actor.accountId, names, fromMs);
    const none = { subscribers: 0, events: 0 };
    return {
      items: items.map((type) => ({ ...type, ...(figures.get(type.name) ?? none) })),
      nextCursor,
    };
  },
});
