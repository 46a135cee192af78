import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No page shows more days. */
const maxDays = 31;
/** Runs of later days are still retried, so their hours are counted again and again. */
const settledDays = 2;

/** The days of a time range that are summed, and the hours of the others. */
export type CountedDays = { readonly days: readonly Date[]; readonly hours: readonly Date[] };

/** @param fromMs the start of a UTC day, in Unix milliseconds */
export async function readCountedDays(
  tx: SqlStatements,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<CountedDays> {
  const days = await tx.$queryRaw<{ day: Date }[]>`
    select day from statistics_days where day >= ${new Date(fromMs)}`;
  const summed = new Set(days.map(({ day }) => day.getTime()));
  const count = Math.floor((nowMs - fromMs) / hourMs) + 1;
  const hours = Array.from({ length: count }, (_, at) => fromMs + at * hourMs).filter(
    (ms) => !summed.has(Math.floor(ms / dayMs) * dayMs),
  );
  return { days: days.map(({ day }) => day), hours: hours.map((ms) => new Date(ms)) };
}

/**
 * Sums the hours of one more day, once none of them is about to be counted again. Rows are written in the order of their
 * index, so that a range of days is read from few pages.
 *
 * @returns false if there is none
 */
export async function sumNextDay(tx: SqlStatements): Promise<boolean> {
  const [next] = await tx.$queryRaw<{ day: Date }[]>`
    select day from generate_series(
      date_trunc('day', now(), 'UTC') - ${maxDays}::int * interval '24 hours',
      date_trunc('day', now(), 'UTC') - ${settledDays}::int * interval '24 hours', interval '24 hours'
    ) as of_day(day)
    where not exists (select from statistics_days d where d.day = of_day.day)
      and exists (select from statistics_hours h where h.hour >= of_day.day and h.hour < of_day.day + interval '24 hours')
      and not exists (
        select from statistics_hours h
        where h.hour >= of_day.day and h.hour < of_day.day + interval '24 hours' and h.recount_at is not null
      )
    order by day desc limit 1`;
  if (next === undefined) return false;
  const end = new Date(next.day.getTime() + dayMs);
  await tx.$executeRaw`delete from hook_days where day = ${next.day}`;
  await tx.$executeRaw`
    insert into hook_days (account_id, day, counted, hook_id, state, count)
    select account_id, ${next.day}, counted, hook_id, state, sum(count)::bigint from (
      select account_id, 'deliveries' as counted, hook_id, status as state, count from delivery_statistics
      where hour >= ${next.day} and hour < ${end}
      union all
      select account_id, 'runs', hook_id, state, count from run_statistics
      where hour >= ${next.day} and hour < ${end} and hook_id is not null
    ) of_hours
    group by account_id, counted, hook_id, state order by account_id, counted, hook_id, state`;
  await tx.$executeRaw`insert into statistics_days (day) values (${next.day})`;
  return true;
}

/** An hour of it was counted again, so its sum is no longer right. */
export async function forgetDay(tx: SqlStatements, hour: number): Promise<void> {
  const day = new Date(Math.floor(hour / dayMs) * dayMs);
  await tx.$executeRaw`delete from statistics_days where day = ${day}`;
}
