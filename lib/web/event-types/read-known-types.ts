import { listKnownTypes } from "#lib/db/events/known-types.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The maximum in a list to choose from. A longer list is of no help. */
const maxKnown = 300;

/** Event types to offer: those in the catalog, and those that were published. */
export async function readKnownTypes(
  { db }: ServiceContext,
  accountId: string,
): Promise<readonly string[]> {
  return await listKnownTypes(db, accountId, maxKnown);
}
