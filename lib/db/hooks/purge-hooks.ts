import { firstId, lastId } from "#lib/core/api/page.ts";
import { removeTerms } from "#lib/db/field-search/index-fields.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import {
  listPartitions,
  type Partitioned,
  partitionName,
} from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { cancelQueued } from "#lib/db/runs/move-runs.ts";
import { keptUsage } from "#lib/db/usage/keep-usage.ts";
import { deliveryUsage, runUsage } from "#lib/db/usage/select-usage.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";

type PurgeResult = {
  readonly removedRows: number;
  /** False: there are more rows, so call it again. */
  readonly isDone: boolean;
};

type PurgeOptions = {
  readonly maxRows?: number;
  readonly batchRows?: number;
  /** Called after each batch with its duration. False: stop for now. */
  readonly afterBatch?: (tookMs: number) => Promise<boolean>;
};

/**
 * Removes the rows of deleted hooks in short transactions of `batchRows`, until all are gone or
 * `maxRows` were removed. Works through the weeks, oldest first. Runs go before deliveries and the
 * hook goes last, so the purge can stop anywhere and continue later. Run it in one process at a
 * time: two would block each other. Runs with an attempt in flight are left for the next time.
 * Dedupe keys don't contain their hook's id, and expire by age.
 */
export async function purgeDeletedHooks(
  db: SqlDatabase,
  { maxRows = 100_000, batchRows = 2_000, afterBatch = async () => true }: PurgeOptions = {},
): Promise<PurgeResult> {
  await cancelRunsOfDeleted(db, batchRows);
  let removedRows = 0;
  const hooks = await db.$queryRaw<{ id: string; targetIds: string[] }[]>`
    select h.id, array(select id from actions where hook_id = h.id)::text[] as "targetIds"
    from hooks h where deleted_at is not null order by deleted_at limit 1000`;
  for (const { id, targetIds } of hooks) {
    for (const removeSome of [
      removeRuns,
      removeDeliveries,
      removeFieldTerms,
      removeRejectedCounts,
    ]) {
      const budget = { rows: maxRows - removedRows, batchRows, afterBatch };
      const { removed, mayContinue } = await removeSome(db, { id, targetIds }, budget);
      removedRows += removed;
      if (!mayContinue || removedRows >= maxRows) return { removedRows, isDone: false };
    }
    for (const table of ["target_breakers", "target_rates", "target_turns"])
      await db.$executeRaw`delete from ${Prisma.raw(table)} where target_id = any (${targetIds}::uuid[])`;
    // This deletes its secrets and actions too. A hook with a run in flight stays until that run
    // has ended, one of which another process removes rows until they are gone, and one whose webhook
    // is being removed at its provider until that is done.
    await db.$executeRaw`
      delete from hooks where id = ${id}::uuid and deleted_at is not null
        and not exists (
          select from actions a cross join lateral (
            select from queue
            where (account_id, target_id) >= (a.account_id, a.id) and (account_id, target_id) <= (a.account_id, a.id)
            order by account_id, target_id limit 1
          ) open
          where a.hook_id = hooks.id
        )
        and not exists (select from actions a join runs r on r.target_id = a.id where a.hook_id = hooks.id)
        and not exists (select from deliveries where hook_id = ${id}::uuid)
        and not exists (select from delivery_terms where hook_id = ${id}::uuid)
        and not exists (select from registrations where hook_id = ${id}::uuid)`;
  }
  return { removedRows, isDone: hooks.length < 1_000 };
}

/**
 * Cancels the open runs of deleted actions and hooks, which would never be claimed. Returns the
 * number.
 */
async function cancelRunsOfDeleted(db: SqlStatements, batchRows = 2_000): Promise<number> {
  let cancelled = 0;
  for (let batch = batchRows; batch >= batchRows; ) {
    batch = await cancelBatchOfDeleted(db, { batchRows });
    cancelled += batch;
  }
  return cancelled;
}

/** Cancels one batch, of all deleted actions or of one action. Returns the number. */
export async function cancelBatchOfDeleted(
  db: SqlStatements,
  {
    batchRows = 2_000,
    actionId = null,
  }: { readonly batchRows?: number; readonly actionId?: string | null },
): Promise<number> {
  return await db.$executeRaw(
    cancelQueued(
      Prisma.sql`lease_id is null and id = any (array(
        select q.id from actions a
        join hooks h on h.id = a.hook_id
        cross join lateral (
          select id from queue
          where (account_id, target_id, id) >= (a.account_id, a.id, ${firstId}::uuid)
            and (account_id, target_id, id) <= (a.account_id, a.id, ${lastId}::uuid) and lease_id is null
          order by account_id, target_id, id limit ${batchRows}::int
        ) q
        where (a.deleted_at is not null or h.deleted_at is not null) and (${actionId}::uuid is null or a.id = ${actionId}::uuid)
        limit ${batchRows}::int
      ))`,
      { code: "action_gone", detail: "The action was deleted." },
    ),
  );
}

type DeletedHook = { readonly id: string; readonly targetIds: readonly string[] };
type Budget = { readonly rows: number } & Required<Omit<PurgeOptions, "maxRows">>;
type Removed = { readonly removed: number; readonly mayContinue: boolean };

async function removeRuns(
  db: SqlDatabase,
  { targetIds }: DeletedHook,
  budget: Budget,
): Promise<Removed> {
  return await removeByWeek(db, "runs", budget, {
    find: (week) => Prisma.sql`
      select key from unnest(${[...targetIds]}::uuid[]) as of_target(key)
      where exists (select from ${week} where target_id = of_target.key)`,
    remove: (week, key, after) => Prisma.sql`
      with doomed as materialized (
        select id from ${week}
        where (target_id, id) > (${key}::uuid, ${after}::uuid) and (target_id, id) <= (${key}::uuid, ${lastId}::uuid)
        order by target_id, id limit ${budget.batchRows}::int
      ), tried as (
        delete from attempts where run_id = any (array(select id from doomed))
      ), stepped as (
        delete from run_steps where id = any (array(select id from doomed))
      ), gone as (
        delete from ${week} where id = any (array(select id from doomed))
        returning id, account_id, hook_id, target_id, event_id, attempt_count
      ), ${keptUsage(runUsage(Prisma.sql`gone`))}
      select id from gone`,
  });
}

async function removeDeliveries(
  db: SqlDatabase,
  { id: hookId }: DeletedHook,
  budget: Budget,
): Promise<Removed> {
  return await removeByWeek(db, "deliveries", budget, {
    find: (week) => Prisma.sql`
      select key from unnest(${[...deliveryStatuses]}::text[]) as of_status(key)
      where exists (select from ${week} where hook_id = ${hookId}::uuid and status = of_status.key)`,
    remove: (week, key, after) => Prisma.sql`
      with doomed as materialized (
        select id from ${week}
        where (hook_id, status, id) > (${hookId}::uuid, ${key}, ${after}::uuid)
          and (hook_id, status, id) <= (${hookId}::uuid, ${key}, ${lastId}::uuid)
        order by hook_id, status, id limit ${budget.batchRows}::int
      ), replied as (
        delete from answers where id = any (array(select id from doomed))
      ), heard as (
        delete from listener_responses where delivery_id = any (array(select id from doomed))
      ), gone as (
        delete from ${week} where id = any (array(select id from doomed)) returning id, account_id, hook_id, body_size
      ), ${keptUsage(deliveryUsage(Prisma.sql`gone`))}
      select id from gone`,
  });
}

type Walk = {
  /** The `key`s, each a part of an index, that have rows in a week. */
  readonly find: (week: Prisma.Sql) => Prisma.Sql;
  /** Removes a batch with a key, in the order of ids. */
  readonly remove: (week: Prisma.Sql, key: string, after: string) => Prisma.Sql;
};

/**
 * Removes rows week by week. Continues after the last batch, so that its dead rows are not read
 * again.
 */
async function removeByWeek(
  db: SqlDatabase,
  table: Partitioned,
  { rows, batchRows, afterBatch }: Budget,
  { find, remove }: Walk,
): Promise<Removed> {
  let total = 0;
  for (const { name } of await listPartitions(db, [table])) {
    const week = partitionName(name);
    for (const { key } of await db.$queryRaw<{ key: string }[]>(find(week))) {
      for (let after: string | undefined = firstId; after !== undefined; ) {
        if (total >= rows) return { removed: total, mayContinue: true };
        const startedAt = performance.now();
        const removed: { id: string }[] = await db.$queryRaw(remove(week, key, after));
        total += removed.length;
        if (!(await afterBatch(performance.now() - startedAt)))
          return { removed: total, mayContinue: false };
        const ids = removed.map(({ id }) => id).sort();
        after = removed.length < batchRows ? undefined : ids.at(-1);
      }
    }
  }
  return { removed: total, mayContinue: true };
}

async function removeFieldTerms(
  db: SqlDatabase,
  { id }: DeletedHook,
  { batchRows, afterBatch }: Budget,
): Promise<Removed> {
  for (let total = 0; ; ) {
    const startedAt = performance.now();
    const removed = await removeTerms(db, id, batchRows);
    total += removed;
    const mayContinue = await afterBatch(performance.now() - startedAt);
    if (!mayContinue || removed < batchRows) return { removed: total, mayContinue };
  }
}

async function removeRejectedCounts(
  db: SqlDatabase,
  { id }: DeletedHook,
  { batchRows }: Budget,
): Promise<Removed> {
  let total = 0;
  for (let removed = batchRows; removed >= batchRows; total += removed) {
    removed = await db.$executeRaw`
      delete from rejected_counts where ctid = any (array(
        select ctid from rejected_counts where hook_id = ${id}::uuid limit ${batchRows}::int
      ))`;
  }
  return { removed: total, mayContinue: true };
}
