import type { Page } from "#lib/core/api/page.ts";
import { requireDelivery } from "#lib/db/deliveries/deliveries.ts";
import { type ConnectionRecord, listAlive } from "#lib/db/listeners/connections.ts";
import {
  type Backlog,
  countBacklog,
  getListener as findListener,
  listListeners as findListeners,
  type ListenerRecord,
} from "#lib/db/listeners/listeners.ts";
import { readHeads } from "#lib/db/listeners/log-positions.ts";
import {
  listResponses as findResponses,
  type ResponseRecord,
} from "#lib/db/listeners/responses.ts";
import { byId } from "#lib/schema/field/common.ts";
import { listenerQuerySchema } from "#lib/schema/receive/listener.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

export type { ResponseRecord } from "#lib/db/listeners/responses.ts";

export type ListenerState = ListenerRecord & {
  /** The programs that are connected now. */
  readonly connections: readonly ConnectionRecord[];
  readonly backlog: Backlog;
};

export const getListener = service({
  permission: "deliveries:read",
  input: byId,
  run: async (context, { id }): Promise<ListenerState> => {
    await readHeads(context.db, [context.actor.accountId]);
    return await readListenerState(context, id);
  },
});

/** The account's listeners, newest first. With a hook: those that hear it. */
export const listListeners = service({
  permission: "deliveries:read",
  input: listenerQuerySchema,
  run: async (context, query): Promise<Page<ListenerState>> => {
    const { db, actor } = context;
    await readHeads(db, [actor.accountId]);
    const { items, nextCursor } = await findListeners(db, actor.accountId, query);
    return { items: await Promise.all(items.map((each) => addState(context, each))), nextCursor };
  },
});

/** Throws `not_found`. */
export async function readListenerState(
  context: ServiceContext,
  id: string,
): Promise<ListenerState> {
  const { db, actor } = context;
  return await addState(context, await findListener(db, actor.accountId, id));
}

async function addState(
  { db, actor }: ServiceContext,
  listener: ListenerRecord,
): Promise<ListenerState> {
  const { accountId } = actor;
  const [connections, backlog] = await Promise.all([
    listAlive(db, { accountId, listenerId: listener.id }),
    countBacklog(db, accountId, listener.id),
  ]);
  return { ...listener, connections, backlog };
}

/** The last position of each of these accounts: there is something new once it has changed. */
export async function readNewest(
  { db }: Pick<ServiceParts, "db">,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  return await readHeads(db, accountIds);
}

/** What listeners responded to a delivery, newest first. Throws `not_found`. */
export const listResponses = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<readonly ResponseRecord[]> => {
    const deliveryId = await requireDelivery(db, actor.accountId, id);
    return await findResponses(db, actor.accountId, deliveryId);
  },
});
