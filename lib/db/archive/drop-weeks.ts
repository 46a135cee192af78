import { Prisma } from "#lib/db/generated/client.ts";
import {
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

/** The steps before a week is dropped. */
export type BeforeDrop = {
  /** Archives a week. False: the week stays for now, and so do later ones. */
  readonly prepare: (week: Week) => Promise<boolean>;
  /**
   * Asked in the transaction that drops the week's tables, once nothing can change them. False: they
   * stay for now.
   */
  readonly confirm: (tx: SqlStatements, week: Week) => Promise<boolean>;
};

/** @returns `firstLeft`: the start of the first week that is retained or could not be dropped */
export async function dropWeeksBefore(
  db: SqlDatabase,
  cutoff: Date,
  before: BeforeDrop = dropAtOnce,
): Promise<{ readonly dropped: readonly string[]; readonly firstLeft: Date }> {
  const firstRetained = new Date(startOfWeek(cutoff.getTime()));
  const rows = await listPartitions(db, weeklyTables);
  const weeks = Map.groupBy(
    rows.flatMap(({ name, day }) => (day === null ? [] : { name, week: weekOfDay(day) })),
    ({ week }) => week,
  );
  const kept = await listKeptWeeks(db);
  const dropped: string[] = [];
  for (const [week, tables] of weeks) {
    if (startOf(week).getTime() >= firstRetained.getTime()) break;
    if (kept.includes(week)) continue;
    const names = tables.map(({ name }) => name);
    const confirm = async (tx: SqlStatements) => {
      // A restore that begins now waits until they are gone, and makes them again.
      await tx.$executeRaw`lock table kept_weeks in share mode`;
      return !(await listKeptWeeks(tx)).includes(week) && (await before.confirm(tx, week));
    };
    // Each try blocks deliveries while it waits, so there is only one try.
    if (!(await before.prepare(week)) || !(await dropTables(db, names, confirm)))
      return { dropped, firstLeft: startOf(week) };
    dropped.push(...names);
  }
  return { dropped, firstLeft: firstRetained };
}

const dropAtOnce: BeforeDrop = { prepare: async () => true, confirm: async () => true };

/**
 * Drops the tables of past weeks. This locks the parents briefly, and behind a long query that lock
 * would block every delivery. So it gives up after a second and tries again at the next sweep, and
 * the runs of that week wait with it.
 *
 * @param confirm asked once they are dropped, before that is committed
 * @returns true if they are gone
 */
export async function dropTables(
  db: SqlDatabase,
  names: readonly string[],
  confirm: (tx: SqlStatements) => Promise<boolean> = async () => true,
): Promise<boolean> {
  try {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = '1s'`;
      // Another process may have dropped them already.
      await tx.$executeRaw`drop table if exists ${Prisma.join(names.map(partitionName))}`;
      if (!(await confirm(tx))) throw new NotConfirmedError();
    });
    return true;
  } catch (error) {
    if (error instanceof NotConfirmedError) return false;
    if (sqlStateOf(error) === lockNotAvailable) return false;
    throw error;
  }
}

/** Rolls the drop back. */
class NotConfirmedError extends Error {}

const lockNotAvailable = "55P03";
