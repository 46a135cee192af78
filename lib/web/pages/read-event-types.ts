import { listEventTypes } from "#lib/db/deliveries/list-event-types.ts";
import { listHooks } from "#lib/db/hooks/hooks.ts";
import { isId } from "#lib/ids.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** One index walk per hook. */
const maxHooks = 20;
const maxTypes = 200;

/** The event types that a hook has received, or those of the account's newest hooks. */
export async function readEventTypes(
  { db }: ServerContext,
  accountId: string,
  hookId: string | null,
): Promise<readonly string[]> {
  if (hookId !== null) return isId(hookId) ? await listEventTypes(db, accountId, hookId) : [];
  const { items } = await listHooks(db, accountId, { limit: maxHooks });
  const types = await Promise.all(items.map(({ id }) => listEventTypes(db, accountId, id)));
  return [...new Set(types.flat())].sort().slice(0, maxTypes);
}
