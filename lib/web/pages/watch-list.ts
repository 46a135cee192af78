import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import type { RunFilter } from "#lib/db/runs/run-filter.ts";
import { createFeed, type Feed, type FeedUpdates } from "#lib/live/feed.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { readDeliveryQuery } from "#lib/web/views/delivery-filters.ts";
import { readRunQuery } from "#lib/web/views/run-filters.ts";

/** A list and its filters, as in its page's URL. */
export type LiveList = {
  readonly list: "deliveries" | "runs";
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
  const query =
    list === "runs" ? readRunQuery(filter, Date.now()) : readDeliveryQuery(filter, Date.now());
  if (Object.keys(query.problems).length > 0) return null;
  const { deliveries, runs } = feedsOf(context);
  if (list === "runs") {
    return (onUpdates) =>
      runs.watch({ accountId, filter: query.filter as RunFilter, afterId, onUpdates });
  }
  return (onUpdates) =>
    deliveries.watch({ accountId, filter: query.filter as DeliveryFilter, afterId, onUpdates });
}

type Feeds = { readonly deliveries: Feed<DeliveryFilter>; readonly runs: Feed<RunFilter> };

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
  };
}
