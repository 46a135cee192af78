import type { Database } from "#lib/db/postgres/client.ts";
import { closeBreaker } from "#lib/db/queue/control/breakers.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { getAction } from "./actions.ts";

/** Starts the runs that an open breaker holds. Throws `not_found`. */
export async function closeActionBreaker(
  db: Database,
  accountId: string,
  actionId: string,
): Promise<void> {
  const { id } = await getAction(db, accountId, actionId);
  await closeBreaker(db, id);
  notifyRunsDue(db);
}
