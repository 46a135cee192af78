import { firstId } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { listPartitions, partitionName } from "#lib/db/postgres/partitions/partitions.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

type AccountPurgeOptions = {
  readonly batchRows?: number;
  /** Called after each batch with its duration. False: stop for now. */
  readonly afterBatch?: (tookMs: number) => Promise<boolean>;
};

/**
 * Removes what deleted accounts leave behind, in short transactions of `batchRows`, and the accounts
 * last. The purges of hooks and subscriptions come first: they cancel the open runs. An account with
 * a run in flight stays until that run has ended. Only the audit log outlives it, and dedupe keys,
 * which don't contain its id and expire by age.
 */
export async function purgeDeletedAccounts(
  db: SqlDatabase,
  { batchRows = 2_000, afterBatch = async () => true }: AccountPurgeOptions = {},
): Promise<void> {
  const accounts = await db.$queryRaw<{ id: string }[]>`
    select id from accounts a where deleted_at is not null
      and not exists (select from queue where account_id = a.id)
    order by deleted_at limit 100`;
  for (const { id } of accounts) {
    for (const { table, dependents } of history)
      for (const { name } of await listPartitions(db, [table])) {
        const week = partitionName(name);
        for (let after: string | undefined = firstId; after !== undefined; ) {
          const startedAt = performance.now();
          const removed: { id: string }[] = await db.$queryRaw(Prisma.sql`
            with doomed as materialized (
              select id from ${week} where account_id = ${id}::uuid and id > ${after}::uuid
              order by account_id, id limit ${batchRows}::int
            ) ${dependents}
            delete from ${week} where id = any (array(select id from doomed)) returning id`);
          // Continues after the last batch, so that its dead rows are not read again.
          const ids = removed.map((row) => row.id).sort();
          after = removed.length < batchRows ? undefined : ids.at(-1);
          if (!(await afterBatch(performance.now() - startedAt))) return;
        }
      }
    await removeAccount(db, id);
  }
}

/** The tables with a row for each delivery, event, or run, and the rows that go with it. */
const history = [
  {
    table: "runs",
    dependents: Prisma.sql`, tried as (
        delete from attempts where run_id = any (array(select id from doomed))
      ), stepped as (
        delete from run_steps where id = any (array(select id from doomed))
      )`,
  },
  {
    table: "deliveries",
    dependents: Prisma.sql`, replied as (
        delete from answers where id = any (array(select id from doomed))
      ), heard as (
        delete from listener_responses where delivery_id = any (array(select id from doomed))
      )`,
  },
  { table: "events", dependents: Prisma.empty },
] as const;

/**
 * Removes the account with everything that belongs to it, unless something was stored meanwhile, or
 * something is left of its hooks or of what another process removes.
 */
async function removeAccount(db: SqlDatabase, accountId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    for (const table of ["target_rates", "target_turns", "target_breakers"])
      await tx.$executeRaw`
        delete from ${Prisma.raw(table)} where target_id in (
          select id from actions where account_id = ${accountId}::uuid
          union all select id from subscriptions where account_id = ${accountId}::uuid
          union all select id from destinations where account_id = ${accountId}::uuid)`;
    for (const table of countedTables)
      await tx.$executeRaw`delete from ${Prisma.raw(table)} where account_id = ${accountId}::uuid`;
    await tx.$executeRaw`
      delete from accounts where id = ${accountId}::uuid and deleted_at is not null
        and not exists (select from queue where account_id = ${accountId}::uuid)
        and not exists (select from runs where account_id = ${accountId}::uuid)
        and not exists (select from deliveries where account_id = ${accountId}::uuid)
        and not exists (select from events where account_id = ${accountId}::uuid)
        and not exists (
          select from hooks h join delivery_terms t on t.hook_id = h.id where h.account_id = ${accountId}::uuid
        )`;
  });
}

const countedTables = [
  "rejected_counts",
  "delivery_statistics",
  "run_statistics",
  "wait_statistics",
  "hook_days",
  "usage_hours",
  "usage_days",
  "idempotency_keys",
  "listener_inbox",
  "listener_log",
  "listener_heads",
];
