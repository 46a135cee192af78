import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { type EventFilter, listEvents } from "#lib/db/events/list-events.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import type { RunFilter } from "#lib/db/runs/run-filter.ts";
import {
  listSubscriptions,
  type SubscriptionFilter,
} from "#lib/db/subscriptions/list-subscriptions.ts";
import { createFeed, type Feed, type FeedSource, type FeedUpdates } from "#lib/live/feed.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import { readDeliveryQuery } from "#lib/web/deliveries/delivery-filters.ts";
import { readEventQuery } from "#lib/web/events/read-event-query.ts";
import { readRunQuery } from "#lib/web/runs/run-filters.ts";
import { readSubscriptionQuery } from "#lib/web/subscriptions/read-subscription-query.ts";

const lists = {
  deliveries: liveList<DeliveryFilter>(readDeliveryQuery, (db) => ({
    readNewest: async (accountId, filter, limit) =>
      (await listDeliveries(db, accountId, filter, { limit })).items,
    isChanging: ({ runs }) => runs !== undefined,
    matchAll: {},
  })),
  runs: liveList<RunFilter>(readRunQuery, (db) => ({
    readNewest: async (accountId, filter, limit) =>
      (await listRuns(db, accountId, filter, { limit })).items,
    isChanging: ({ status, reason, q }) =>
      status !== undefined || reason !== undefined || q !== undefined,
    matchAll: {},
  })),
  events: liveList<EventFilter>(readEventQuery, (db) => ({
    readNewest: async (accountId, filter, limit) => {
      const { items } = await listEvents(db, accountId, filter, { limit });
      return items.map(({ internalId }) => ({ id: internalId }));
    },
    isChanging: () => false,
    matchAll: {},
  })),
  subscriptions: liveList<SubscriptionFilter>(readSubscriptionQuery, (db) => ({
    readNewest: async (accountId, filter, limit) =>
      (await listSubscriptions(db, accountId, filter, { limit })).items,
    isChanging: ({ status }) => status !== undefined,
    matchAll: {},
  })),
} as const;

/** Reports new items until the returned function is called. */
type Subscribe = (onUpdates: (updates: FeedUpdates) => void) => () => void;

type Watched = {
  /** The filter in the URL of the list's page. */
  readonly filter: Readonly<Record<string, string>>;
  /** The newest item on the page; empty: none. */
  readonly afterId: string;
};

/** Returns a function to watch a list; null if there is no such list, or its filter is invalid. */
export function watchList(
  context: ServerContext,
  accountId: string,
  { list, ...watched }: Watched & { readonly list: string },
): Subscribe | null {
  return Object.hasOwn(lists, list)
    ? lists[list as keyof typeof lists](context, accountId, watched)
    : null;
}

type ReadQuery<Filter> = (
  filter: Watched["filter"],
  nowMs: number,
) => { readonly filter: Filter; readonly problems: Readonly<Record<string, string>> };

/** One feed per context, however many viewers there are. */
function liveList<Filter>(
  readQuery: ReadQuery<Filter>,
  toSource: (db: Database) => FeedSource<Filter>,
) {
  const feeds = new WeakMap<ServerContext, Feed<Filter>>();
  return (context: ServerContext, accountId: string, watched: Watched): Subscribe | null => {
    const { filter, problems } = readQuery(watched.filter, Date.now());
    if (Object.keys(problems).length > 0) return null;
    const feed = feeds.get(context) ?? createFeed(toSource(context.db));
    feeds.set(context, feed);
    const { afterId } = watched;
    return (onUpdates) => feed.watch({ accountId, filter, afterId, onUpdates });
  };
}
