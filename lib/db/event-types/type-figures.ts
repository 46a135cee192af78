import { idFloor } from "#lib/core/api/page.ts";
import { matchesAny } from "#lib/core/sending/event-type-patterns.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

type TypeFigures = {
  /** The number of active subscriptions that get the type. */
  readonly subscribers: number;
  /** The number of events of the type, up to 1,000. */
  readonly events: number;
};

const maxSubscriptions = 10_000;
const maxCountedEvents = 1_000;

/**
 * Figures of some event types: subscribers among the newest 10,000 subscriptions, and events since
 * then. Subscriptions are grouped by their patterns, of which an account has few.
 */
export async function readTypeFigures(
  db: SqlStatements,
  accountId: string,
  types: readonly string[],
  fromMs: number,
): Promise<ReadonlyMap<string, TypeFigures>> {
  if (types.length === 0) return new Map();
  const [groups, counts] = await Promise.all([
    db.$queryRaw<{ eventTypes: string[]; count: number }[]>`
      select event_types as "eventTypes", count(*)::int as count from (
        select event_types from subscriptions
        where account_id = ${accountId}::uuid and deleted_at is null and status = 'active'
        order by account_id desc, id desc limit ${maxSubscriptions}::int
      ) newest group by event_types`,
    db.$queryRaw<{ type: string; count: number }[]>`
      select wanted.type, found.count
      from unnest(${[...types]}::text[]) as wanted(type)
      cross join lateral (
        select count(*)::int as count from (
          select from events
          where account_id = ${accountId}::uuid and type = wanted.type
            and id >= ${idFloor(fromMs)}::uuid
          limit ${maxCountedEvents}::int
        ) counted
      ) found`,
  ]);
  const events = new Map(counts.map(({ type, count }) => [type, count]));
  return new Map(
    types.map((type) => {
      const own = groups.filter(({ eventTypes }) => matchesAny(eventTypes, type));
      const subscribers = own.reduce((sum, { count }) => sum + count, 0);
      return [type, { subscribers, events: events.get(type) ?? 0 }];
    }),
  );
}

/** The number of subscriptions that get a type, by the version that they are pinned to. */
type Pins = readonly { readonly pinned: string; readonly count: number }[];

/** Counts the newest 10,000 subscriptions, whatever their status. */
export async function countPins(db: SqlStatements, accountId: string, type: string): Promise<Pins> {
  const groups = await db.$queryRaw<{ eventTypes: string[]; pinned: string; count: number }[]>`
    select event_types as "eventTypes", payload_version as pinned, count(*)::int as count from (
      select event_types, payload_version from subscriptions
      where account_id = ${accountId}::uuid and deleted_at is null
      order by account_id desc, id desc limit ${maxSubscriptions}::int
    ) newest group by event_types, payload_version`;
  return groups.filter(({ eventTypes }) => matchesAny(eventTypes, type));
}
