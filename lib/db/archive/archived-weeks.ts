import { newId } from "#lib/base/ids.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { type Week, weekOfDay } from "#lib/db/postgres/partitions/kept-weeks.ts";
import {
  listPartitions,
  partitionName,
  weeklyTables,
} from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { markLaterRows } from "./week-rows.ts";

type ArchivedWeek = {
  readonly archiveId: string;
  /** Null: its archive isn't whole, or a row was changed since it was started, or may have been. */
  readonly manifestSha256: string | null;
  /** It was dropped once, so that its archive is final. */
  readonly isDropped: boolean;
};

/** Null: it was never archived. */
export async function readArchivedWeek(
  db: SqlStatements,
  week: Week,
): Promise<ArchivedWeek | null> {
  const rows = await db.$queryRaw<ArchivedWeek[]>`
    select archive_id as "archiveId", dropped_at is not null as "isDropped",
      case when ${isCurrent(week)} and ${isWatched(week)} then manifest_sha256 end as "manifestSha256"
    from archived_weeks where week = ${week}::date`;
  return rows[0] ?? null;
}

/** A try to archive a week. The next one takes the week away from it. */
type ArchiveTry = { readonly id: string; readonly tryId: string };

/**
 * From now on, every change of the week's tables is noted. Waits for changes in progress, with a limit,
 * so that none is missed.
 *
 * @returns null if a change is in progress for too long, or another process has dropped the week
 * meanwhile, whose archive is final then
 */
export async function beginArchive(db: SqlDatabase, week: Week): Promise<ArchiveTry | null> {
  const tables = (await listPartitions(db, weeklyTables)).filter(
    ({ day }) => day !== null && weekOfDay(day) === week,
  );
  try {
    return await db.$transaction((tx) => watchWeek(tx, week, tables));
  } catch (error) {
    if ([lockNotAvailable, undefinedTable].includes(sqlStateOf(error) ?? "")) return null;
    throw error;
  }
}

const lockNotAvailable = "55P03";
const undefinedTable = "42P01";

async function watchWeek(
  tx: SqlStatements,
  week: Week,
  tables: readonly { readonly name: string }[],
): Promise<ArchiveTry | null> {
  const tryId = newId();
  await tx.$executeRaw`set local lock_timeout = '1s'`;
  for (const { name } of tables)
    await tx.$executeRaw`
        create or replace trigger note_archive_change after insert or update or delete on ${partitionName(name)}
        for each row execute function note_archive_change(${Prisma.raw(`'${week}'`)})`;
  const [row] = await tx.$queryRaw<{ id: string }[]>`
      insert into archived_weeks (week, archive_id, try_id, later_rows)
      values (${week}::date, ${newId()}::uuid, ${tryId}::uuid, (${Prisma.raw(markLaterRows(week))}))
      on conflict (week) do update set try_id = excluded.try_id, is_changed = false, later_rows = excluded.later_rows,
        manifest_sha256 = null, archived_at = null
        where archived_weeks.dropped_at is null
      returning archive_id as id`;
  return row === undefined ? null : { id: row.id, tryId };
}

/** @returns false: another process has started meanwhile, and may have overwritten what was read back */
export async function recordArchived(
  db: SqlStatements,
  week: Week,
  { tryId }: ArchiveTry,
  manifestSha256: string,
): Promise<boolean> {
  const recorded = await db.$executeRaw`
    update archived_weeks set manifest_sha256 = ${manifestSha256}, archived_at = now()
    where week = ${week}::date and try_id = ${tryId}::uuid`;
  return recorded === 1;
}

/**
 * Whether the archive has everything of the week. Ask in the transaction that drops its tables, once
 * nothing can change them, and undo the drop if not.
 */
export async function confirmArchived(tx: SqlStatements, week: Week): Promise<boolean> {
  const changed = await tx.$executeRaw`
    update archived_weeks set dropped_at = coalesce(dropped_at, now())
    where week = ${week}::date and (dropped_at is not null or ${isCurrent(week)})`;
  return changed === 1;
}

/** Its archive is whole, and nothing of the week was changed since it was started. */
function isCurrent(week: Week): Prisma.Sql {
  return Prisma.sql`(archived_at is not null and not is_changed and later_rows = (${Prisma.raw(markLaterRows(week))}))`;
}

/** Every table of the week notes changes. Those of a restored backup don't. */
function isWatched(week: Week): Prisma.Sql {
  return Prisma.sql`not exists (
    select from pg_inherits i join pg_class child on child.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
    where parent.relname::text = any (${[...weeklyTables]}::text[]) and parent.relnamespace = current_schema()::regnamespace
      and child.relname::text = parent.relname::text || ${`_${week.replaceAll("-", "")}`}::text
      and not exists (select from pg_trigger t where t.tgrelid = child.oid and t.tgname = 'note_archive_change'))`;
}
