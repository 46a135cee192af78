import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";

export type PurgeResult = {
  readonly removedRows: number;
  /** False: there is more, so call it again. */
  readonly isDone: boolean;
};

/**
 * Removes the rows of deleted hooks in short transactions of `batchRows`, until all are gone or
 * `maxRows` were removed. Runs go before deliveries and the hook goes last, so it can stop anywhere
 * and continue later. Run it from maintenance, one process at a time: two would get in each other's
 * way. Runs with an attempt in flight are left for the next time.
 */
export async function purgeDeletedHooks(
  db: SqlDatabase,
  {
    maxRows = 100_000,
    batchRows = 2_000,
  }: { readonly maxRows?: number; readonly batchRows?: number } = {},
): Promise<PurgeResult> {
  await cancelRunsOfDeleted(db, batchRows);
  let removedRows = 0;
  const hooks = await db.$queryRaw<{ id: string }[]>`
    select id from hooks where deleted_at is not null order by deleted_at limit 1000`;
  for (const { id } of hooks) {
    for (const removeBatch of [
      removeRuns,
      removeDeliveries,
      removeDedupeKeys,
      removeRejectedCounts,
    ]) {
      for (let removed = batchRows; removed >= batchRows; ) {
        if (removedRows >= maxRows) return { removedRows, isDone: false };
        removed = await removeBatch(db, id, batchRows);
        removedRows += removed;
      }
    }
    // Deletes its secrets and actions too. A hook with a run in flight stays until that run has
    // ended.
    await db.$executeRaw`
      delete from hooks where id = ${id}::uuid and deleted_at is not null
        and not exists (select from actions a join runs r on r.target_id = a.id where a.hook_id = hooks.id)`;
  }
  return { removedRows, isDone: hooks.length < 1_000 };
}

/**
 * Cancels the open runs of deleted actions and hooks, which would never be claimed. Returns the
 * number.
 */
export async function cancelRunsOfDeleted(db: SqlStatements, batchRows = 2_000): Promise<number> {
  let cancelled = 0;
  for (let batch = batchRows; batch >= batchRows; ) {
    batch = await cancelBatchOfDeleted(db, { batchRows });
    cancelled += batch;
  }
  return cancelled;
}

/** One batch, of all or of one action. Returns the number. */
export async function cancelBatchOfDeleted(
  db: SqlStatements,
  {
    batchRows = 2_000,
    actionId = null,
  }: { readonly batchRows?: number; readonly actionId?: string | null },
): Promise<number> {
  return db.$executeRaw`
    update runs set state = 'cancelled', reason = null, reason_code = 'action_gone',
      reason_detail = 'The action was deleted.', finished_at = now()
    where lease_id is null and finished_at is null and id = any (array(
      select r.id from actions a
      join hooks h on h.id = a.hook_id
      join runs r on r.account_id = a.account_id and r.target_id = a.id and r.finished_at is null and r.lease_id is null
      where (a.deleted_at is not null or h.deleted_at is not null) and (${actionId}::uuid is null or a.id = ${actionId}::uuid)
      limit ${batchRows}::int
    ))`;
}

async function removeRuns(db: SqlDatabase, hookId: string, limit: number): Promise<number> {
  return db.$executeRaw`
    with doomed as materialized (
      select r.id from actions a join runs r on r.target_id = a.id
      where a.hook_id = ${hookId}::uuid and r.lease_id is null
      limit ${limit}::int
    ), tried as (
      delete from attempts where run_id in (select id from doomed)
    )
    delete from runs where id in (select id from doomed)`;
}

async function removeDeliveries(db: SqlDatabase, hookId: string, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from deliveries where id = any (array(
      select id from deliveries where hook_id = ${hookId}::uuid limit ${limit}::int
    ))`;
}

async function removeDedupeKeys(db: SqlDatabase, hookId: string, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from dedupe_keys where hook_id = ${hookId}::uuid and key_hash = any (array(
      select key_hash from dedupe_keys where hook_id = ${hookId}::uuid limit ${limit}::int
    ))`;
}

async function removeRejectedCounts(
  db: SqlDatabase,
  hookId: string,
  limit: number,
): Promise<number> {
  return db.$executeRaw`
    delete from rejected_counts where ctid = any (array(
      select ctid from rejected_counts where hook_id = ${hookId}::uuid limit ${limit}::int
    ))`;
}
