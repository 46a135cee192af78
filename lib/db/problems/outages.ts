import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/** A time in which a process couldn't reach the database, or got no response. */
export type Outage = {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Those that its spool took and that are stored now. */
  readonly deliveries: number;
};

/** A shorter one is a hiccup, not a problem. */
export const outageCountsBeyondMs = 10_000;

/**
 * Records an outage that is over, once for all processes that had it. Who is told waits for `notifyOutages`, so
 * that one message counts what all spools took.
 */
export async function recordOutage(
  db: SqlDatabase,
  { fromMs, untilMs, deliveries }: Outage,
): Promise<void> {
  await db.$executeRaw`
    with given as (
      select to_timestamp(${fromMs}::float8 / 1000) as first_at, to_timestamp(${untilMs}::float8 / 1000) as last_at,
        ${deliveries}::int as deliveries
    )
    insert into problems as known (id, account_id, kind, key, first_at, last_at, count, details, is_changed)
    select uuid_v7_at(clock_timestamp()), a.id, 'database', 'database', first_at, last_at, 1,
      json_build_object('kind', 'database', 'deliveries', deliveries,
        'seconds', greatest(1, round(extract(epoch from last_at - first_at)))), false
    from accounts a cross join given order by a.id
    on conflict (account_id, key) where state <> 'resolved' do update set
      first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at),
      count = known.count + (excluded.first_at > known.last_at)::int,
      details = json_build_object('kind', 'database',
        'deliveries', (known.details ->> 'deliveries')::int + (excluded.details ->> 'deliveries')::int,
        -- What this one adds to those before, of which there may be several.
        'seconds', (known.details ->> 'seconds')::int
          + greatest(0, round(extract(epoch from excluded.last_at - greatest(known.last_at, excluded.first_at))))
          + greatest(0, round(extract(epoch from least(known.first_at, excluded.last_at) - excluded.first_at))))`;
}

/**
 * Lets the alert rules look at new outages once the spools are empty, or after half a minute: then
 * something in a spool is held up. Ends those that are five minutes old.
 */
export async function notifyOutages(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`
    update problems set is_changed = true
    where key = 'database' and state = 'open' and not is_changed and last_at > now() - interval '5 minutes'
      and not exists (select from alerts where problem_id = problems.id)
      and (last_at < now() - interval '30 seconds'
        or last_at < now() - interval '5 seconds' and not exists (select from spools where waiting > 0))`;
  await db.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = 'recovered', is_changed = true
    where key = 'database' and state <> 'resolved' and last_at < now() - interval '5 minutes'`;
}
