import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** Notes that a catch process listens in this minute. Several may do so at once. */
export async function recordListening(db: SqlStatements): Promise<void> {
  await db.$executeRaw`
    insert into listening_hours as known (hour, minutes)
    values (date_trunc('hour', now(), 'UTC'), 1::bigint << extract(minute from now() at time zone 'UTC')::int)
    on conflict (hour) do update set minutes = known.minutes | excluded.minutes
      where known.minutes <> known.minutes | excluded.minutes`;
}
