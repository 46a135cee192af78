import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { type EventFilter, listEvents } from "#lib/db/events/list-events.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import type { RunFilter } from "#lib/db/runs/run-filter.ts";
import { createFeed, type Feed, type FeedUpdates } from "#lib/live/feed.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { readDeliveryQuery } from "#lib/web/views/delivery-filters.ts";
import { readRunQuery } from "#lib/web/views/run-filters.ts";
import { readEventQuery } from "./read-event-query.ts";

/** A list and its filters, as in its page's URL. */
export type LiveList = {
  readonly list: "deliveries" | "runs" | "events";
  readonly filter: Readonly<Record<string, string>>;
  /** The newest item on the page; empty: none. */
  readonly afterId: string;
};

/** How to watch a list; null if its filter is invalid. */
export function watchList(
  context: ServerContext,
  accountId: string,
  { list, filter, afterId }: LiveList,
): ((onUpdates: (updates: FeedUpdates) => void) => () => void) | null {
  const query = readQuery[list](filter, Date.now());
  if (Object.keys(query.problems).length > 0) return null;
  const { deliveries, runs, events } = feedsOf(context);
  if (list === "events") {
    return (onUpdates) =>
      events.watch({ accountId, filter: query.filter as EventFilter, afterId, onUpdates });
  }
  if (list === "runs") {
    return (onUpdates) =>
      runs.watch({ accountId, filter: query.filter as RunFilter, afterId, onUpdates });
  }
  return (onUpdates) =>
    deliveries.watch({ accountId, filter: query.filter as DeliveryFilter, afterId, onUpdates });
}

const readQuery = {
  deliveries: readDeliveryQuery,
  runs: readRunQuery,
  events: readEventQuery,
} as const;

type Feeds = {
  readonly deliveries: Feed<DeliveryFilter>;
  readonly runs: Feed<RunFilter>;
  readonly events: Feed<EventFilter>;
};

const feeds = new WeakMap<ServerContext, Feeds>();

/** One of each per context, however many viewers there are. */
function feedsOf(context: ServerContext): Feeds {
  const found = feeds.get(context) ?? createFeeds(context);
  feeds.set(context, found);
  return found;
}

function createFeeds({ db }: ServerContext): Feeds {
  return {
    deliveries: createFeed<DeliveryFilter>({
      readNewest: async (accountId, filter, limit) =>
        (await listDeliveries(db, accountId, filter, { limit })).items,
      isChanging: () => false,
      matchAll: {},
    }),
    runs: createFeed<RunFilter>({
      readNewest: async (accountId, filter, limit) =>
        (await listRuns(db, accountId, filter, { limit })).items,
      isChanging: ({ status, reason, q }) =>
        status !== undefined || reason !== undefined || q !== undefined,
      matchAll: {},
    }),
    events: createFeed<EventFilter>({
      readNewest: async (accountId, filter, limit) => {
        const { items } = await listEvents(db, accountId, filter, { limit });
        return items.map(({ internalId }) => ({ id: internalId }));
      },
      isChanging: () => false,
      matchAll: {},
    }),
  };
}
