import { mapFew } from "#lib/base/map-few.ts";
import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { toFilterInput } from "#lib/core/sending/filter-input.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import { subscriptionInputSchema } from "#lib/schema/send/subscription.ts";
import { type FilterTally, maxEvaluated, withinBytes } from "#lib/services/actions/tally-filter.ts";
import { service } from "#lib/services/frame/service.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";

/** The newest events are searched for those that the subscription gets. */
const maxSearched = 200;

/** Counts how many of the subscription's latest events pass its filter. Null: it has none. */
export const tallyEventFilter = service({
  permission: "events:read",
  input: subscriptionInputSchema.pick({ recipient: true, eventTypes: true, filter: true }),
  run: async (context, { recipient, eventTypes, filter }): Promise<FilterTally | null> => {
    if (filter === null) return null;
    const { db } = context;
    const { accountId } = context.actor;
    const scope = recipient === null ? {} : { recipient };
    const { items } = await listEvents(db, accountId, scope, { limit: maxSearched });
    const own = items.filter(
      (event) => event.recipient === recipient && matchesAny(eventTypes, event.type),
    );
    const ids = withinBytes(
      own.slice(0, maxEvaluated).map(({ internalId, bodySize }) => ({ id: internalId, bodySize })),
    );
    const verdicts = await mapFew(ids, async (id) => {
      const { id: publicId, type, body } = await getEvent(db, accountId, id);
      const input = toFilterInput({ id, publicId, type, body }, filter, Date.now());
      const work = { accountId, actionChars: JSON.stringify(filter).length };
      const { verdict, built } = await prepareBounded(webThreads(), input, work);
      return verdict.matches && built?.ok === true;
    });
    return { evaluated: verdicts.length, runs: verdicts.filter(Boolean).length };
  },
});
