import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A week by its Monday, such as `2026-11-16`. */
export type Week = string;

const weekMs = 7 * 86_400_000;

export function startOf(week: Week): Date {
  return new Date(`${week}T00:00:00Z`);
}

export function endOf(week: Week): Date {
  return new Date(startOf(week).getTime() + weekMs);
}

/** The week of a partition, which has its Monday in its name as `20261116`. */
export function weekOfDay(day: string): Week {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

/** Lists weeks with restored rows, which stay for now. */
export async function listKeptWeeks(db: SqlStatements): Promise<readonly Week[]> {
  const rows = await db.$queryRaw<{ week: Week }[]>`
    select week::text as week from kept_weeks where kept_until > now() order by week`;
  return rows.map(({ week }) => week);
}

export async function forgetKeptWeeks(db: SqlStatements): Promise<void> {
  await db.$executeRaw`delete from kept_weeks where kept_until <= now()`;
}

/** A condition: the id is of a week with restored rows, which stay for now. */
export function isKept(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`exists (
    select from kept_weeks where kept_until > now() and ${id} >= uuid_v7_floor(week::timestamp at time zone 'UTC')
      and ${id} < uuid_v7_floor((week + 7)::timestamp at time zone 'UTC')
  )`;
}
