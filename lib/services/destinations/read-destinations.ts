import { z } from "zod";
import {
  getDestination as findDestination,
  listDestinations as findDestinations,
} from "#lib/db/destinations/destinations.ts";
import { byId, pageFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { DestinationRecord } from "#lib/db/destinations/destinations.ts";

/** Returns a destination of the account. Throws `not_found`. */
export const getDestination = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findDestination(db, actor.accountId, id),
});

/** The account's destinations, newest first. */
export const listDestinations = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findDestinations(db, actor.accountId, page),
});
