import { listPartitions } from "./partitions.ts";
import type { SqlStatements } from "./sql-database.ts";

type DatabaseSize = {
  readonly bytes: number;
  /** The first stored week of deliveries, as Unix time. Null: there is none. */
  readonly firstWeekMs: number | null;
};

/** Reads the size of the files, without their contents. */
export async function readDatabaseSize(db: SqlStatements): Promise<DatabaseSize> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    select pg_database_size(current_database())::float8 as bytes`;
  const weeks = await listPartitions(db, ["deliveries"]);
  const first = weeks.find(({ day }) => day !== null)?.day ?? null;
  return { bytes: row?.bytes ?? 0, firstWeekMs: first === null ? null : timeOfDay(first) };
}

/** @param day such as `20261116` */
function timeOfDay(day: string): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}
