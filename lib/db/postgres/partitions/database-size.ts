import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { listKeptWeeks, startOf, weekOfDay } from "./kept-weeks.ts";
import { listPartitions } from "./partitions.ts";

type DatabaseSize = {
  readonly bytes: number;
  /** The first stored week of deliveries that isn't restored, as Unix time. Null: there is none. */
  readonly firstWeekMs: number | null;
};

/** Reads the size of the files, without their contents. */
export async function readDatabaseSize(db: SqlStatements): Promise<DatabaseSize> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  const kept = await listKeptWeeks(db);
  const weeks = (await listPartitions(db, ["deliveries"])).flatMap(({ day }) =>
    day === null ? [] : [weekOfDay(day)],
  );
  const first = weeks.find((week) => !kept.includes(week));
  return {
    bytes: row?.bytes ?? 0,
    firstWeekMs: first === undefined ? null : startOf(first).getTime(),
  };
}
