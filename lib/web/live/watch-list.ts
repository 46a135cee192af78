import type { z } from "zod";
import { createFeed, type Feed, type FeedSource, type FeedUpdates } from "#lib/live/feed.ts";
import { listDeliveries } from "#lib/services/deliveries/read-deliveries.ts";
import { listEvents } from "#lib/services/events/read-events.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listRuns } from "#lib/services/runs.ts";
import { listSubscriptions } from "#lib/services/subscriptions/read-subscriptions.ts";
import { readDeliveryQuery } from "#lib/web/deliveries/delivery-filters.ts";
import { readEventQuery } from "#lib/web/events/read-event-list.ts";
import type { ListService } from "#lib/web/request/read-list.ts";
import { readRunQuery } from "#lib/web/runs/read-run-list.ts";
import { readSubscriptionQuery } from "#lib/web/subscriptions/read-subscription-list.ts";

const lists = {
  deliveries: liveList(listDeliveries, readDeliveryQuery, { movedBy: ["runs"] }),
  runs: liveList(listRuns, readRunQuery, { movedBy: ["status", "reason", "q"] }),
  events: liveList(listEvents, readEventQuery, { toId: ({ internalId }) => internalId }),
  subscriptions: liveList(listSubscriptions, readSubscriptionQuery, { movedBy: ["status"] }),
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
  context: ServiceContext,
  { list, ...watched }: Watched & { readonly list: string },
): Subscribe | null {
  return Object.hasOwn(lists, list) ? lists[list as keyof typeof lists](context, watched) : null;
}

/** A filter as the list's service takes it. */
type Asked = Readonly<Record<string, string>>;

type ReadQuery = (
  filter: Watched["filter"],
  nowMs: number,
) => { readonly asked: Asked; readonly problems: Readonly<Record<string, string>> };

type ListTraits<Item> = {
  /** The filters that older items may start to match. */
  readonly movedBy?: readonly string[];
  readonly toId?: (item: Item) => string;
};

/**
 * A list by the service that the API's list has. All viewers who see the same of the database share
 * one feed, which is read as Catchment itself, so each one's right is checked as they begin to watch.
 */
function liveList<Schema extends z.ZodType<object>, Item extends { readonly id: string }>(
  list: ListService<Schema, Item>,
  readQuery: ReadQuery,
  { movedBy = [], toId = ({ id }) => id }: ListTraits<Item>,
) {
  const feeds = new WeakMap<ServiceContext["db"], Feed<Asked>>();
  const toSource = (context: ServiceContext): FeedSource<Asked> => ({
    readNewest: async (accountId, asked, limit) => {
      const input = { ...asked, limit: String(limit) };
      // The service parses its input, whatever it is.
      const ofSystem = { ...context, actor: { type: "system", accountId } } as const;
      const { items } = await list(ofSystem, input as z.input<Schema>);
      return items.map((item) => ({ id: toId(item) }));
    },
    isChanging: (asked) => movedBy.some((name) => asked[name] !== undefined),
    matchAll: {},
  });
  return (context: ServiceContext, { filter, afterId }: Watched): Subscribe | null => {
    authorize(context.actor, list.permission);
    const { asked, problems } = readQuery(filter, context.now().getTime());
    if (Object.keys(problems).length > 0) return null;
    const feed = feeds.get(context.db) ?? createFeed(toSource(context));
    feeds.set(context.db, feed);
    const { accountId } = context.actor;
    return (onUpdates) => feed.watch({ accountId, filter: asked, afterId, onUpdates });
  };
}
