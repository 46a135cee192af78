import { idFloor } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { walkAlongIndexes } from "#lib/db/postgres/plan-settings.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { addCounts, hourMs, hourOf, selectUsage, usageLock } from "./select-usage.ts";

/** Ids are created up to seconds before their rows are committed, so younger ones aren't counted yet. */
const settleMs = 30_000;
/** The minimum slice. A shorter one is left for the next round. */
const minSliceMs = 10_000;
/** An hour with open runs is counted again after a minute, or a twentieth of its age. */
const recountEveryMs = 60_000;
const recountShare = 500;
const agePart = 20;
/**
 * When a closed hour is counted again, for late rows: of a statement that hung, and of a machine whose clock
 * is behind, which is refused beyond an hour.
 */
const closings = [5 * 60_000, 65 * 60_000] as const;

type Progress = { now: number; from: number; until: number; due: number | null };

/**
 * Counts what is used, in one transaction: first new rows, then hours whose rows have changed, then hours
 * from before usage was counted. Whatever stores a delivery, an event, or a call does no work for it. Only
 * one process at a time can enter.
 *
 * @returns true if there was anything to count
 */
export async function countUsage(db: SqlDatabase): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const [{ isOurs } = { isOurs: false }] = await tx.$queryRaw<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(${usageLock}) as "isOurs"`;
    if (!isOurs) return false;
    await walkAlongIndexes(tx);
    const { now, from, until, due } = await readProgress(tx);
    const settled = now - settleMs;
    if (settled > until + minSliceMs) await countSlice(tx, until, settled);
    else if (due !== null) await recountHour(tx, due, until);
    else return await countEarlier(tx, from);
    return true;
  });
}

/** Counts all hours before a time again that have changed, before their rows are dropped. */
export async function settleUsage(db: SqlDatabase, before: Date): Promise<void> {
  // Of a week that isn't over, what comes meanwhile would be counted forever.
  let endMs: number | undefined;
  for (let isDone = false; !isDone; )
    isDone = await db.$transaction(async (tx) => {
      await tx.$executeRaw`select pg_advisory_xact_lock(${usageLock})`;
      await walkAlongIndexes(tx);
      const { now, from, until } = await readProgress(tx);
      endMs ??= Math.floor(Math.min(now - settleMs, before.getTime()));
      if (endMs > until) {
        await countSlice(tx, until, endMs);
        return false;
      }
      const [next] = await tx.$queryRaw<{ hour: Date }[]>`
        select hour from usage_recounts where hour < ${before} and hour >= (select final_before from usage_progress)
          order by hour limit 1`;
      if (next !== undefined) {
        await recountHour(tx, next.hour.getTime(), until);
        // It may be due again later, when it is no longer stored.
        await tx.$executeRaw`delete from usage_recounts where hour = ${next.hour}`;
        return false;
      }
      return !(await countEarlier(tx, from));
    });
}

/** In the transaction that drops weeks: what they had is final. The lock keeps a count from missing rows. */
export async function finishUsage(tx: SqlStatements, before: Date): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(${usageLock})`;
  await tx.$executeRaw`update usage_progress set final_before = greatest(final_before, ${before})`;
}

/** Removes counts of hours that are final. */
export async function sweepUsage(db: SqlStatements): Promise<void> {
  for (const table of ["usage_hours", "usage_recounts"])
    await db.$executeRaw`
      delete from ${Prisma.raw(table)} where hour < (select final_before from usage_progress)`;
}

/** Where it has come to, in Unix milliseconds. The first time, it begins with this hour. */
async function readProgress(tx: SqlStatements): Promise<Progress> {
  await tx.$executeRaw`
    insert into usage_progress (counted_from, counted_until, final_before)
    select date_trunc('hour', now(), 'UTC'), date_trunc('hour', now(), 'UTC'), to_timestamp(0)
    on conflict do nothing`;
  const [row] = await tx.$queryRaw<Progress[]>`
    select ${toMs(Prisma.sql`now()`)} as now, ${toMs(Prisma.sql`counted_from`)} as "from", ${toMs(Prisma.sql`counted_until`)} as until, (
      select ${toMs(Prisma.sql`hour`)} from usage_recounts where recount_at <= now()::timestamptz(3) and hour >= final_before
      order by recount_at limit 1
    ) as due
    from usage_progress`;
  if (row === undefined) throw new Error("Usage has no progress");
  return row;
}

function toMs(instant: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(extract(epoch from ${instant}) * 1000)::float8`;
}

async function countSlice(tx: SqlStatements, fromMs: number, settledMs: number): Promise<void> {
  const hour = Math.floor(fromMs / hourMs) * hourMs;
  const untilMs = Math.min(settledMs, hour + hourMs);
  await addRows(tx, fromMs, untilMs);
  await tx.$executeRaw`update usage_progress set counted_until = ${new Date(untilMs)}`;
  await planRecount(tx, hour, untilMs);
}

async function recountHour(tx: SqlStatements, hour: number, countedUntilMs: number): Promise<void> {
  const untilMs = Math.min(hour + hourMs, countedUntilMs);
  await tx.$executeRaw`
    with past as (
      delete from usage_hours where hour = ${new Date(hour)} returning *
    )
    update usage_days known set ${addCounts("-", "known", "past")} from past
    where (known.account_id, known.day, known.kind, known.subject)
      = (past.account_id, (past.hour at time zone 'UTC')::date, past.kind, past.subject)`;
  await addRows(tx, hour, untilMs);
  await tx.$executeRaw`delete from usage_recounts where hour = ${new Date(hour)}`;
  await planRecount(tx, hour, untilMs);
}

/** @returns false if nothing is stored from before */
async function countEarlier(tx: SqlStatements, fromMs: number): Promise<boolean> {
  if (fromMs <= 0) return false;
  const before = (table: string) => Prisma.sql`(
    select id from ${Prisma.raw(table)} where id < ${idFloor(fromMs)}::uuid
      and id >= uuid_v7_floor((select final_before from usage_progress)) order by id desc limit 1)`;
  const [newest] = await tx.$queryRaw<{ hour: Date | null }[]>`
    select max(${hourOf(Prisma.sql`id`)}) as hour
    from (${Prisma.join(["deliveries", "events", "runs", "queue"].map(before), " union all ")}) as newest`;
  const hour = newest?.hour?.getTime() ?? 0;
  if (hour > 0) await recountHour(tx, hour, hour + hourMs);
  await tx.$executeRaw`update usage_progress set counted_from = ${new Date(hour)}`;
  return hour > 0;
}

/** Rows are written in the order of their indexes. */
async function addRows(tx: SqlStatements, fromMs: number, untilMs: number): Promise<void> {
  await tx.$executeRaw`
    with found as materialized (
      select found.* from (${selectUsage({ fromMs, untilMs })}) found
      join accounts a on a.id = found.account_id and a.deleted_at is null
    ), of_hour as (
      insert into usage_hours as known (hour, account_id, kind, subject, deliveries, bytes, events, sends, calls)
      select hour, account_id, kind, subject, deliveries, bytes, events, sends, calls from found
      order by hour, account_id, kind, subject
      on conflict (hour, account_id, kind, subject) do update set ${addCounts("+", "known", "excluded")}
    )
    insert into usage_days as known (account_id, day, kind, subject, deliveries, bytes, events, sends, calls)
    select account_id, (hour at time zone 'UTC')::date, kind, subject, deliveries, bytes, events, sends, calls from found
    order by account_id, kind, subject
    on conflict (account_id, day, kind, subject) do update set ${addCounts("+", "known", "excluded")}`;
}

/** Open runs will have more calls, and a closed hour may get late rows. What is planned already stays. */
async function planRecount(tx: SqlStatements, hour: number, untilMs: number): Promise<void> {
  const end = hour + hourMs;
  const [first, second] = closings.map((ms) => new Date(end + ms));
  await tx.$executeRaw`
    insert into usage_recounts as known (hour, recount_at)
    select ${new Date(hour)}, recount_at from (select least(
      case when exists (select from queue where id >= ${idFloor(hour)}::uuid and id < ${idFloor(untilMs)}::uuid)
        then now() + greatest(
          ${recountEveryMs}::int, ${recountShare}::int * ${toMs(Prisma.sql`clock_timestamp() - now()`)},
          ${toMs(Prisma.sql`now() - ${new Date(hour)}::timestamptz`)} / ${agePart}::int
        ) * interval '1 ms'
      end,
      case when ${untilMs < end}::boolean then null
        when now() < ${first}::timestamptz then ${first}::timestamptz
        when now() < ${second}::timestamptz then ${second}::timestamptz
      end
    ) as recount_at) as planned
    where recount_at is not null
    on conflict (hour) do update set recount_at = least(known.recount_at, excluded.recount_at)`;
}
