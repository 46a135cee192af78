import { Prisma } from "#lib/db/generated/client.ts";
import { startOfWeek } from "#lib/db/postgres/partition-weeks.ts";
import { listPartitions, partitionName } from "#lib/db/postgres/partitions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";

/** @returns `firstLeft`: the start of the first week that is kept or could not be dropped */
export async function dropWeeksBefore(
  db: SqlDatabase,
  cutoff: Date,
): Promise<{ readonly dropped: readonly string[]; readonly firstLeft: Date }> {
  const firstRetained = new Date(startOfWeek(cutoff.getTime()));
  const rows = await listPartitions(db, swept);
  const weeks = Map.groupBy(
    rows.flatMap(({ name, day }) => (day === null ? [] : { name, day })),
    ({ day }) => day,
  );
  const dropped: string[] = [];
  for (const [day, tables] of weeks) {
    const week = toDate(day);
    if (week.getTime() >= firstRetained.getTime()) break;
    const names = tables.map(({ name }) => name);
    // Each try blocks deliveries while it waits, so there is only one try.
    if (!(await dropTables(db, names))) return { dropped, firstLeft: week };
    dropped.push(...names);
  }
  return { dropped, firstLeft: firstRetained };
}

const swept = [
  "deliveries",
  "events",
  "runs",
  "attempts",
  "run_steps",
  "answers",
  "delivery_terms",
] as const;

/** Converts a day to a date. `20261116` is the week that starts on that Monday. */
function toDate(day: string): Date {
  return new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

/**
 * Drops the tables of past weeks. This locks the parents briefly, and behind a long query that lock
 * would block every delivery. So it gives up after a second and tries again at the next sweep, and
 * the runs of that week wait with it.
 *
 * @returns true if they are gone
 */
export async function dropTables(db: SqlDatabase, names: readonly string[]): Promise<boolean> {
  try {
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local lock_timeout = '1s'`;
      // Another process may have dropped them already.
      await tx.$executeRaw`drop table if exists ${Prisma.join(names.map(partitionName))}`;
    });
    return true;
  } catch (error) {
    if (sqlStateOf(error) === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = "55P03";
