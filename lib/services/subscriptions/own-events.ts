import { mapFew } from "#lib/base/map-few.ts";
import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import { type EventView, toFilterInput } from "#lib/core/sending/filter-input.ts";
import type { EventRecord, EventWithBody } from "#lib/db/events/event-record.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listEvents } from "#lib/db/events/list-events.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { withinBytes } from "#lib/services/actions/tally-filter.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";

type Receiving = { readonly recipient: string | null; readonly eventTypes: readonly string[] };

/** Finds the events that a subscription would have got, newest first, among the newest ones of its recipient. */
export async function findOwnEvents(
  { db, actor }: ServiceContext,
  { recipient, eventTypes }: Receiving,
  { searched, wanted }: { readonly searched: number; readonly wanted: number },
): Promise<readonly EventRecord[]> {
  const scope = recipient === null ? {} : { recipient };
  const { items } = await listEvents(db, actor.accountId, scope, { limit: searched });
  return items
    .filter((event) => event.recipient === recipient && matchesAny(eventTypes, event.type))
    .slice(0, wanted);
}

/** Calls `work` with each of the events, as many as fit into one request, and returns what it gave. */
export async function mapOwnEvents<Value>(
  { db, actor }: ServiceContext,
  events: readonly EventRecord[],
  work: (event: EventWithBody) => Promise<Value>,
): Promise<readonly Value[]> {
  const ids = withinBytes(events.map(({ internalId, bodySize }) => ({ id: internalId, bodySize })));
  return await mapFew(ids, async (id) => await work(await getEvent(db, actor.accountId, id)));
}

/** The event as its transform reads it. */
export function toEventView({ internalId, id, type, body }: EventWithBody): EventView {
  return { id: internalId, publicId: id, type, body };
}

/** True if a subscription's filter lets the event through. */
export async function passesFilter(
  { actor }: ServiceContext,
  event: EventView,
  filter: ActionFilter,
): Promise<boolean> {
  const input = toFilterInput(event, filter, Date.now());
  const work = { accountId: actor.accountId, actionChars: JSON.stringify(filter).length };
  const { verdict, built } = await prepareBounded(webThreads(), input, work);
  return verdict.matches && built?.ok === true;
}
