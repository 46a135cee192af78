/** Details of events that lists show besides the events themselves. */
import type { Database } from "#lib/db/postgres/client.ts";
import { runStatusSql } from "#lib/db/runs/run-record.ts";
import { runSourcesOfEvents } from "#lib/db/runs/run-sources.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";

type SendCount = { readonly status: RunStatus; readonly count: number };

/** Counts the sends of each event by state, keyed by internal id. */
export async function countSends(
  db: Database,
  accountId: string,
  internalIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SendCount[]>> {
  if (internalIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ event_id: string; status: RunStatus; count: number }[]>`
    select r.event_id, ${runStatusSql} as status, count(*)::int as count
    from ${runSourcesOfEvents(internalIds)}
    where r.account_id = ${accountId}::uuid
    group by 1, 2 order by 1, 2`;
  const byEvent = new Map<string, SendCount[]>();
  for (const { event_id, status, count } of rows) {
    const counts = byEvent.get(event_id) ?? [];
    counts.push({ status, count });
    byEvent.set(event_id, counts);
  }
  return byEvent;
}

/**
 * The bytes to read: `id`, `type`, and `timestamp`, and about as much of `data` as fits on a line.
 */
const shownBytes = 640;

/** Reads the start of each event's body, and no more, keyed by internal id. */
export async function readEventStarts(
  db: Database,
  accountId: string,
  internalIds: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (internalIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; start: Uint8Array }[]>`
    select id, start from unnest(${[...internalIds]}::uuid[]) as wanted(wanted_id)
    cross join lateral (
      select id, account_id, substring(body from 1 for ${shownBytes}::int) as start
      from events where id = wanted.wanted_id limit 1
    ) event
    where account_id = ${accountId}::uuid`;
  return new Map(rows.map(({ id, start }) => [id, start]));
}
