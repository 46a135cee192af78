import { idFloor } from "#lib/core/api/page.ts";
import type { TimelineInput } from "#lib/core/watch/silence/timeline.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A rhythm is learned from as many weeks at most. */
const learnedWeeks = 8;
const hourMs = 3_600_000;

/**
 * The time up to which deliveries are counted, in Unix milliseconds. Null: nothing is counted yet.
 * Silence is measured by this clock: a roll-up that lags behind isn't the silence of a provider.
 */
export async function readCountedUntil(db: SqlStatements): Promise<number | null> {
  const [row] = await db.$queryRaw<{ until: Date | null }[]>`
    select max(counted_until) as until from statistics_hours`;
  return row?.until?.getTime() ?? null;
}

type HourRow = { readonly hour: Date; readonly count: bigint; readonly minutes: bigint | null };

/** The accepted deliveries of a hook by hour, and when Catchment listened: up to 1,345 rows each. */
export async function readHookHours(
  db: SqlStatements,
  hookId: string,
  untilMs: number,
): Promise<TimelineInput> {
  const fromMs = Math.floor(untilMs / hourMs) * hourMs - learnedWeeks * 7 * 24 * hourMs;
  const from = new Date(fromMs);
  const hours = await db.$queryRaw<HourRow[]>`
    select hour, count, minutes from delivery_statistics
    where hook_id = ${hookId}::uuid and status = 'accepted' and hour >= ${from} order by hour`;
  const listening = await db.$queryRaw<{ hour: Date; minutes: bigint }[]>`
    select hour, minutes from listening_hours where hour >= ${from} order by hour`;
  return {
    hours: hours.map(({ hour, count, minutes }) => ({
      hourMs: hour.getTime(),
      accepted: Number(count),
      minutes,
    })),
    listeningHours: listening.map(({ hour, minutes }) => ({ hourMs: hour.getTime(), minutes })),
    fromMs,
    untilMs,
  };
}

type RejectedReason = { readonly reason: string; readonly count: number };

/** Rejected deliveries are counted up to this number. */
export const maxRejected = 1_000;

/** The reasons of the deliveries that a hook rejected since then, most frequent first. */
export async function countRejectedSince(
  db: SqlStatements,
  hookId: string,
  sinceMs: number,
): Promise<readonly RejectedReason[]> {
  return await db.$queryRaw<RejectedReason[]>`
    select coalesce(reason, '') as reason, count(*)::int as count from (
      select reason from deliveries
      where (hook_id, status, id) >= (${hookId}::uuid, 'rejected', ${idFloor(sinceMs)}::uuid)
        and hook_id = ${hookId}::uuid and status = 'rejected' and id >= ${idFloor(sinceMs)}::uuid
      limit ${maxRejected}::int
    ) found group by reason order by count(*) desc, reason limit 3`;
}

/** Notes that a catch process listens in this minute. Several may do so at once. */
export async function recordListening(db: SqlStatements): Promise<void> {
  await db.$executeRaw`
    insert into listening_hours as known (hour, minutes)
    values (date_trunc('hour', now(), 'UTC'), 1::bigint << extract(minute from now() at time zone 'UTC')::int)
    on conflict (hour) do update set minutes = known.minutes | excluded.minutes
      where known.minutes <> known.minutes | excluded.minutes`;
}
