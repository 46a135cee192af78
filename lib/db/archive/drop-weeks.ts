import { Prisma } from "#lib/db/generated/client.ts";
import {
  endOf,
  listKeptWeeks,
  startOf,
  type Week,
  weekOfDay,
} from "#lib/db/postgres/partitions/kept-weeks.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import {
  listPartitions,
  partitionName,
  weeklyTables,
} from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { finishUsage, settleUsage } from "#lib/db/usage/count-usage.ts";
import { findKeptRows, moveRows } from "./keep-rows.ts";

/** The steps before a week is dropped. */
export type BeforeDrop = {
  /** Archives a week. False: the week stays for now, and so do later ones. */
  readonly prepare: (week: Week) => Promise<boolean>;
  /**
   * Asked in the transaction that drops the week's tables, once nothing can change them. False: they
   * stay for now.
   */
  readonly confirm: (tx: SqlStatements, week: Week) => Promise<boolean>;
  /** Archives deliveries and events outside of any week, with their runs. False: they stay for now. */
  readonly prepareStrays: (ids: readonly string[]) => Promise<boolean>;
};

type Dropped = {
  /** The tables. */
  readonly dropped: readonly string[];
  /** The start of the first week that is retained or could not be dropped. */
  readonly firstLeft: Date;
  /** Deliveries and events that outlive their week. */
  readonly moved: number;
  /** Weeks with too much that outlives them. */
  readonly stuck: readonly Week[];
};

/**
 * Drops weeks that are over. What was stored later than its week says, and what has an open run, is moved
 * to the rows of no week.
 */
export async function dropWeeksBefore(
  db: SqlDatabase,
  cutoff: Date,
  before: BeforeDrop = dropAtOnce,
): Promise<Dropped> {
  const firstRetained = new Date(startOfWeek(cutoff.getTime()));
  const rows = await listPartitions(db, weeklyTables);
  const weeks = Map.groupBy(
    rows.flatMap(({ name, day }) => (day === null ? [] : { name, week: weekOfDay(day) })),
    ({ week }) => week,
  );
  const kept = await listKeptWeeks(db);
  const [dropped, stuck]: [string[], Week[]] = [[], []];
  let moved = 0;
  const end = (firstLeft: Date) => ({
    ...{ dropped, moved, stuck },
    firstLeft: stuck[0] === undefined ? firstLeft : startOf(stuck[0]),
  });
  for (const [week, tables] of weeks) {
    if (startOf(week).getTime() >= firstRetained.getTime()) break;
    if (kept.includes(week)) continue;
    const names = tables.map(({ name }) => name);
    // Each try blocks deliveries while it waits, so there is only one try.
    if (!(await before.prepare(week))) return end(startOf(week));
    const outcome = await dropWeek(db, { week, names, retainedFrom: firstRetained, before });
    if (outcome === "busy") return end(startOf(week));
    if (outcome === "stuck") stuck.push(week);
    else {
      dropped.push(...names);
      moved += outcome.moved;
    }
  }
  return end(firstRetained);
}

const dropAtOnce: BeforeDrop = {
  prepare: async () => true,
  confirm: async () => true,
  prepareStrays: async () => true,
};

type Drop = {
  readonly week: Week;
  readonly names: readonly string[];
  readonly retainedFrom: Date;
  readonly before: BeforeDrop;
};

/** @returns `stuck` if too much of it outlives it, `busy` if it is to be tried again */
async function dropWeek(
  db: SqlDatabase,
  { week, names, retainedFrom, before }: Drop,
): Promise<{ readonly moved: number } | "busy" | "stuck"> {
  let moved = 0;
  let isStuck = false;
  await settleUsage(db, endOf(week));
  const isDropped = await tryToDrop(db, async (tx) => {
    await finishUsage(tx, endOf(week));
    const rows = await findKeptRows(tx, week, names, retainedFrom);
    isStuck = rows === null;
    if (rows === null) return false;
    moved = rows.sources.length;
    await moveRows(tx, names, rows);
    await tx.$executeRaw`drop table if exists ${Prisma.join(names.map(partitionName))}`;
    // A restore that begins now waits until they are gone, and makes them again.
    await tx.$executeRaw`lock table kept_weeks in share mode`;
    return !(await listKeptWeeks(tx)).includes(week) && (await before.confirm(tx, week));
  });
  if (isDropped) return { moved };
  return isStuck ? "stuck" : "busy";
}

/** Drops tables. @returns true if they are gone */
export async function dropTables(db: SqlDatabase, names: readonly string[]): Promise<boolean> {
  return await tryToDrop(db, async (tx) => {
    await tx.$executeRaw`drop table if exists ${Prisma.join(names.map(partitionName))}`;
    return true;
  });
}

/**
 * Dropping tables locks their parents briefly, and behind a long query that lock would block every
 * delivery. So it gives up after a second and tries again at the next sweep, and the runs of that week
 * wait with it.
 *
 * @param drop asked within the transaction. False: everything is undone
 */
async function tryToDrop(
  db: SqlDatabase,
  drop: (tx: SqlStatements) => Promise<boolean>,
): Promise<boolean> {
  try {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = '1s'`;
      if (!(await drop(tx))) throw new NotConfirmedError();
    });
    return true;
  } catch (error) {
    if (error instanceof NotConfirmedError) return false;
    // Another process may have dropped them already.
    if ([lockNotAvailable, undefinedTable].includes(sqlStateOf(error) ?? "")) return false;
    throw error;
  }
}

/** Rolls the drop back. */
class NotConfirmedError extends Error {}

const lockNotAvailable = "55P03";
const undefinedTable = "42P01";
