import { isId } from "#lib/base/ids.ts";
import { toEventKey } from "#lib/core/sending/event-id.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { publicEventId } from "#lib/schema/send/event.ts";
import { type EventWithBody, eventColumns } from "./event-record.ts";

/**
 * The events that a caller may see: those of the whole account, or of one recipient (the portal).
 */
type EventScope = { readonly recipient?: string | undefined };

/**
 * Finds an event by the id that its publisher gave or got, or by its internal id. Throws
 * `not_found` if it belongs to another account, or not to the scope's recipient.
 */
export async function getEvent(
  db: SqlStatements,
  accountId: string,
  eventId: string,
  { recipient }: EventScope = {},
): Promise<EventWithBody> {
  if (!publicEventId.safeParse(eventId).success) throw notFound("event");
  const rows = await db.$queryRaw<EventWithBody[]>`
    select ${eventColumns}, e.body from events e
    where e.id = any (${idsOf(accountId, eventId)}) and e.account_id = ${accountId}::uuid
      and (${recipient ?? null}::text is null or e.recipient = ${recipient ?? null})
    order by (e.public_id = ${eventId}) desc limit 1`;
  const [event] = rows;
  if (event === undefined) throw notFound("event");
  return event;
}

/** The internal id of an event. Null: there is none. */
export async function findEventId(
  db: SqlStatements,
  accountId: string,
  eventId: string,
): Promise<string | null> {
  if (!publicEventId.safeParse(eventId).success) return null;
  const [event] = await db.$queryRaw<{ id: string }[]>`
    select e.id from events e
    where e.id = any (${idsOf(accountId, eventId)}) and e.account_id = ${accountId}::uuid
    order by (e.public_id = ${eventId}) desc limit 1`;
  return event?.id ?? null;
}

/**
 * The ids to look for. An id that the publisher gave has a key. Other ids have none: they are the
 * internal id, or that of a test event. A restored event has lost its key, so its week is searched.
 */
function idsOf(accountId: string, eventId: string): Prisma.Sql {
  const given = Prisma.sql`select event_id from event_keys where key = ${toEventKey(accountId, eventId)}::uuid`;
  const unprefixed = eventId.replace(/^test_/, "");
  const own = isId(unprefixed) ? unprefixed : null;
  return Prisma.sql`array(
    ${given}
    union
    select ${own}::uuid
    union
    select restored.id from kept_weeks
    cross join lateral (
      select id from events
      where account_id = ${accountId}::uuid and public_id = ${eventId}
        and id >= uuid_v7_floor(week::timestamp at time zone 'UTC')
        and id < uuid_v7_floor((week + 7)::timestamp at time zone 'UTC')
    ) restored
    where kept_until > now() and not exists (${given}) and not exists (select from events where id = ${own}::uuid)
  )`;
}

/** The bodies of the newest events of a type, newest first. */
export async function listNewestBodies(
  db: SqlStatements,
  accountId: string,
  type: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ body: string }[]>`
    select convert_from(body, 'UTF8') as body from events
    where account_id = ${accountId}::uuid and type = ${type}
    order by id desc limit ${limit}::int`;
  return rows.map(({ body }) => body);
}
