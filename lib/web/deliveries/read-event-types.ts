import { listAccountEventTypes, listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { isId } from "#lib/ids.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The event types that a hook has received, or those of the account. */
export async function readEventTypes(
  { db }: ServiceContext,
  accountId: string,
  hookId: string | null,
): Promise<readonly string[]> {
  if (hookId === null) return await listAccountEventTypes(db, accountId);
  return isId(hookId) ? await listEventTypes(db, accountId, hookId) : [];
}
