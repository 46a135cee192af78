import { z } from "zod";
import {
  getEventType as findEventType,
  listEventTypes as findEventTypes,
} from "#lib/db/event-types/event-types.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { eventTypeQuerySchema } from "#lib/schema/sender/event-type.ts";
import { service } from "#lib/services/frame/service.ts";

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
