import { matchesAny } from "#lib/core/sender/event-type-patterns.ts";
import { toFilterInput } from "#lib/core/sender/filter-input.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { type FilterTally, maxEvaluated, withinBytes } from "./tally-filter.ts";
import { webThreads } from "./web-threads.ts";

export type FilteredSubscription = {
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
  readonly filter: ActionFilter;
};

/** The newest events are searched for those that the subscription gets. */
const maxSearched = 200;

/** How many of the latest events that a subscription gets pass its filter. */
export async function tallyEventFilter(
  { db }: ServerContext,
  accountId: string,
  { recipient, eventTypes, filter }: FilteredSubscription,
): Promise<FilterTally> {
  const scope = recipient === null ? {} : { recipient };
  const { items } = await listEvents(db, accountId, scope, { limit: maxSearched });
  const own = items.filter(
    (event) => event.recipient === recipient && matchesAny(eventTypes, event.type),
  );
  const ids = withinBytes(
    own.slice(0, maxEvaluated).map(({ internalId, bodySize }) => ({ id: internalId, bodySize })),
  );
  const verdicts = await Promise.all(
    ids.map(async (id) => {
      const { id: publicId, type, body } = await getEvent(db, accountId, id);
      const input = toFilterInput({ id, publicId, type, body }, filter, Date.now());
      const work = { accountId, actionChars: JSON.stringify(filter).length };
      const { verdict, built } = await prepareBounded(webThreads(), input, work);
      return verdict.matches && built === null;
    }),
  );
  return { evaluated: verdicts.length, runs: verdicts.filter(Boolean).length };
}
