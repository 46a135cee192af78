import { z } from "zod";
import {
  getDestination as findDestination,
  listDestinations as findDestinations,
} from "#lib/db/destinations/destinations.ts";
import { pageFields, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** Returns a destination of the account. Throws `not_found`. */
export const getDestination = service({
  permission: "hooks:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findDestination(db, actor.accountId, id),
});

/** The account's destinations, newest first. */
export const listDestinations = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findDestinations(db, actor.accountId, page),
});
