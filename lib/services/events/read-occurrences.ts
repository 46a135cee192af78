import { mapFew } from "#lib/base/map-few.ts";
import { readSnapshotCursor, writeSnapshotCursor } from "#lib/core/api/snapshot-cursor.ts";
import { toOccurrence } from "#lib/core/sending/event-occurrence.ts";
import { listCatalog, listEventTypes } from "#lib/db/event-types/event-types.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { readNewEvents } from "#lib/db/events/new-events.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { listEventsSchema, pollEventsSchema } from "#lib/schema/send/event-callback.ts";
import { service } from "#lib/services/frame/service.ts";

/** A type of events that a program can ask for. */
type EventKind = {
  readonly name: string;
  readonly description: string | null;
  /** Of the data. Null: the catalog has none. */
  readonly schema: JsonValue;
};

const pageKinds = 100;
const maxPublished = 300;

/** The event types of the account: its catalog in pages, and at its end those that are only published. */
export const listEventKinds = service({
  permission: "events:read",
  input: listEventsSchema,
  run: async ({ db, actor }, { cursor }) => {
    const { accountId } = actor;
    const page = { limit: pageKinds, ...(cursor && { cursor }) };
    const { items, nextCursor } = await listEventTypes(db, accountId, {}, page);
    const kinds: EventKind[] = items.map(({ name, description, schema }) => ({
      ...{ name, description, schema },
    }));
    if (nextCursor !== null) return { kinds, nextCursor };
    const [known, catalog] = await Promise.all([
      listKnownTypes(db, accountId, maxPublished),
      listCatalog(db, accountId),
    ]);
    const listed = new Set(catalog.map(({ name }) => name));
    const others = known.filter((name) => !listed.has(name));
    const bare = others.map((name) => ({ name, description: null, schema: null }));
    return { kinds: [...kinds, ...bare], nextCursor: null };
  },
});

const maxEvents = 50;
/** Of one response. An event alone may have more. */
const maxBytes = 256 * 1024;

/** The events of a type since a cursor, oldest first, as JSON texts. Without a cursor: none, and where now is. */
export const pollOccurrences = service({
  permission: "events:read",
  input: pollEventsSchema,
  run: async ({ db, actor, now }, { name, arguments: of, cursor, maxAgeMs, maxEvents: most }) => {
    const { accountId } = actor;
    const nowMs = now().getTime();
    const given = typeof cursor === "string" ? readSnapshotCursor(cursor) : null;
    const wanted = {
      ...{ type: name, recipient: of.recipient ?? null },
      limit: Math.min(most ?? maxEvents, maxEvents),
      notBeforeMs: given !== null && typeof maxAgeMs === "number" ? nowMs - maxAgeMs : 0,
    };
    const read = (limit: number) =>
      readNewEvents(db, accountId, { ...wanted, cursor: given, limit }, nowMs);
    let found = await read(wanted.limit);
    const events = await mapFew(found.ids, async (id) => {
      const { id: publicId, type, body } = await getEvent(db, accountId, id);
      return toOccurrence({ publicId, type, body });
    });
    const count = countFitting(events);
    // The cursor is behind the last one that is shown.
    if (count < events.length) found = await read(count);
    const { cursor: next, isMore, isReset } = found;
    const shown = events.slice(0, count);
    return { events: shown, cursor: writeSnapshotCursor(next), isMore, isReset };
  },
});

function countFitting(events: readonly string[]): number {
  let bytes = 0;
  const end = events.findIndex((text) => {
    bytes += Buffer.byteLength(text);
    return bytes > maxBytes;
  });
  return end === -1 ? events.length : Math.max(1, end);
}
