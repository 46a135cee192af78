import { type StrayTable, selectStrayRows } from "#lib/db/archive/stray-rows.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { isKept } from "#lib/db/postgres/partitions/kept-weeks.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toUuidArray } from "#lib/db/postgres/uuid-array.ts";

/** One batch is archived at once, with its bodies in memory a part at a time. */
const batchRows = 1_000;

/**
 * Deletes deliveries and events outside of any week, with their runs: ids from a clock that was far off, and
 * what outlived its week. It goes by when they were stored, as the database's clock says. One
 * with an open run stays until the run has ended.
 *
 * @param prepare archives them. False: they stay for now
 * @returns how many were deleted
 */
export async function deleteStrays(
  db: SqlDatabase,
  before: Date,
  shouldStop: () => boolean,
  prepare: (ids: readonly string[]) => Promise<boolean>,
): Promise<number> {
  let total = 0;
  while (!shouldStop()) {
    const ids = await findStrays(db, before);
    if (ids.length === 0) break;
    const mark = await markStrays(db, ids);
    if (!(await prepare(ids))) break;
    const deleted = await db.$transaction((tx) => deleteUnchanged(tx, ids, mark));
    total += deleted;
    // Something of them has changed meanwhile, so they are archived again at the next sweep.
    if (deleted === 0) break;
  }
  return total;
}

async function findStrays(db: SqlStatements, before: Date): Promise<readonly string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    (select id from deliveries_default as source
      where ${isOver(before)} and ${hasNoOpenRun} order by id limit ${batchRows}::int)
    union all
    (select id from events_default as source
      where ${isOver(before)} and ${hasNoOpenRun} order by id limit ${batchRows}::int)
    limit ${batchRows}::int`;
  return rows.map(({ id }) => id);
}

function isOver(before: Date): Prisma.Sql {
  return Prisma.sql`(stored_at < ${before} or stored_at is null and id < uuid_v7_floor(${before})) and not ${isKept(Prisma.sql`id`)}`;
}

/** The largest number of a run that is made with its delivery or event. */
const lastRun = 16_383;

const hasNoOpenRun = Prisma.sql`
  not exists (select from queue where queue.id >= run_id(source.id, 0) and queue.id <= run_id(source.id, ${lastRun}::int))
  and not exists (select from queue where has_own_id and queue.delivery_id = source.id)
  and not exists (select from queue where has_own_id and queue.event_id = source.id)`;

const tables: readonly StrayTable[] = [
  "deliveries",
  "events",
  "runs",
  "attempts",
  "run_steps",
  "answers",
];

/** A hash of everything that is deleted with them. */
async function markStrays(db: SqlStatements, ids: readonly string[]): Promise<string> {
  const hashes = Prisma.join(
    tables.map(
      (table) =>
        Prisma.sql`select md5(line::text) as hash from (${Prisma.raw(selectStrayRows(table, ids))}) as line`,
    ),
    " union all ",
  );
  const [row] = await db.$queryRaw<{ mark: string }[]>`
    select md5(coalesce(string_agg(hash, '' order by hash), '')) as mark from (${hashes}) as hashes`;
  return row?.mark ?? "";
}

/** Locks them first, so that nothing of them is replayed or retried meanwhile. */
async function deleteUnchanged(
  tx: SqlStatements,
  ids: readonly string[],
  mark: string,
): Promise<number> {
  const wanted = toUuidArray([...ids]);
  const locked = await tx.$queryRaw<{ id: string }[]>`
    with delivered as (
      select id from deliveries_default as source where id = any (${wanted}::uuid[]) and ${hasNoOpenRun} for update
    ), published as (
      select id from events_default as source where id = any (${wanted}::uuid[]) and ${hasNoOpenRun} for update
    )
    select id from delivered union all select id from published`;
  if (locked.length !== ids.length || (await markStrays(tx, ids)) !== mark) return 0;
  await tx.$executeRaw`
    with gone as (
      delete from runs where id = any (array(${Prisma.raw(selectStrayRows("run_ids", ids))})) returning id
    ), tried as (
      delete from attempts where run_id = any (array(select id from gone))
    ), stepped as (
      delete from run_steps where id = any (array(select id from gone))
    ), replied as (
      delete from answers where id = any (${wanted}::uuid[])
    ), heard as (
      delete from listener_responses where delivery_id = any (${wanted}::uuid[])
    ), published as (
      delete from events where id = any (${wanted}::uuid[])
    )
    delete from deliveries where id = any (${wanted}::uuid[])`;
  return locked.length;
}

/**
 * Deletes rows outside of any week that belong to nothing any more: what they belonged to went with its
 * week. @returns the number of rows of the table that had most
 */
export async function deleteOrphans(db: SqlDatabase, before: Date, limit: number): Promise<number> {
  const deleted: number[] = [];
  for (const [table, isOrphan] of orphans)
    deleted.push(
      await db.$executeRaw`
        delete from ${table} where id = any (array(
          select id from ${table} as row where id < uuid_v7_floor(${before}) and not ${isKept(Prisma.sql`id`)} and ${isOrphan}
          order by id limit ${limit}::int
        ))`,
    );
  return Math.max(...deleted);
}

const hasSource = Prisma.sql`(exists (select from deliveries d where d.id = row.delivery_id)
  or exists (select from events e where e.id = row.event_id))`;
const hasRun = (id: Prisma.Sql) =>
  Prisma.sql`(exists (select from queue q where q.id = ${id}) or exists (select from runs r where r.id = ${id}))`;

const orphans: readonly (readonly [table: Prisma.Sql, isOrphan: Prisma.Sql])[] = [
  [Prisma.sql`runs_default`, Prisma.sql`not ${hasSource}`],
  [Prisma.sql`attempts_default`, Prisma.sql`not ${hasRun(Prisma.sql`row.run_id`)}`],
  [Prisma.sql`run_steps_default`, Prisma.sql`not ${hasRun(Prisma.sql`row.id`)}`],
  [
    Prisma.sql`answers_default`,
    Prisma.sql`not exists (select from deliveries d where d.id = row.id)`,
  ],
  [
    Prisma.sql`delivery_terms_default`,
    Prisma.sql`not exists (select from deliveries d where d.hook_id = row.hook_id and d.id between row.id and row.last_id)`,
  ],
];
