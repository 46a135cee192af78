import { Prisma } from "#lib/db/generated/client.ts";
import { toIdSpan } from "#lib/db/postgres/page.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import type { BulkKind } from "#lib/schema/run-states.ts";
import { type BulkFilter, canChange } from "./bulk-jobs.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { cancelledManually, cancelQueued, putBackEnded } from "./move-runs.ts";
import { runCreatedAt } from "./run-record.ts";
import { runSourcesOf } from "./run-sources.ts";
import { selectRunIds } from "./select-run-ids.ts";

/** Runs scanned in one transaction. */
const batchRuns = 500;

type Job = {
  readonly id: string;
  readonly account_id: string;
  readonly kind: BulkKind;
  readonly filter: BulkFilter;
  readonly seen_before: string;
};

/**
 * Changes the next batch of one job. The runs and the job's progress are written in one
 * transaction, which only one process at a time can enter for a job, so a killed process leaves
 * nothing half done. Runs that ended after the job was created are not touched. That includes those
 * that the job itself has queued: none is retried twice.
 *
 * @returns whether there was a job
 */
export async function workBulkJobs(db: SqlDatabase): Promise<boolean> {
  const changed = await db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
        select id, account_id, kind, filter, seen_before from bulk_jobs where finished_at is null and kind in ('retry', 'cancel')
        order by random() limit 1 for update skip locked`;
    return job === undefined ? null : await changeBatch(tx, job);
  });
  if (changed === null) return false;
  if (changed.length > 0) notifyRunsDue(db);
  await recountHours(db, changed);
  return true;
}

/** Jobs over deliveries are worked on elsewhere (`workAcceptJobs`). */
export async function hasAcceptJob(db: SqlDatabase): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    select 1 from bulk_jobs where finished_at is null and kind = 'accept' limit 1`;
  return found.length > 0;
}

async function changeBatch(
  tx: SqlStatements,
  { id, account_id: accountId, kind, filter, seen_before: seenBefore }: Job,
): Promise<string[]> {
  const targetIds = await listTargets(tx, accountId, filter);
  const span = toIdSpan(filter, seenBefore);
  const limit = batchRuns;
  const scanned = await tx.$queryRaw<{ id: string }[]>(
    selectRunIds({ accountId, filter, targetIds, span, limit }),
  );
  const ids = scanned.map((run) => run.id);
  // Locked in a fixed order, so that two jobs over the same runs wait for each other instead of
  // deadlocking. Those that have moved meanwhile are left alone.
  const locked = await tx.$queryRaw<{ id: string }[]>`
    select id from ${tables[kind]} where id = any (${ids}::uuid[]) order by id for update`;
  const matches = await tx.$queryRaw<{ id: string }[]>`
    select r.id from ${runSourcesOf(Prisma.sql`${locked.map((run) => run.id)}::uuid[]`)}
    cross join bulk_jobs job
    where job.id = ${id}::uuid and ${matchesRun(accountId, filter)} and ${canChange(kind)} and ${wasThere[kind]}`;
  const changed = matches.map((run) => run.id);
  await tx.$executeRaw(change[kind](changed));
  const last = scanned.at(-1);
  const isAtEnd = scanned.length < batchRuns || last === undefined;
  await tx.$executeRaw`
    update bulk_jobs set changed_count = changed_count + ${changed.length}::int, seen_before = ${last?.id ?? seenBefore}::uuid,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${id}::uuid`;
  return changed;
}

const wasThere: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: Prisma.sql`r.finished_at <= job.created_at`,
  cancel: Prisma.sql`${runCreatedAt} <= job.created_at`,
};

const tables: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: Prisma.sql`runs`,
  cancel: Prisma.sql`queue`,
};

const change: Readonly<Record<BulkKind, (ids: readonly string[]) => Prisma.Sql>> = {
  retry: (ids) =>
    Prisma.sql`with ${putBackEnded(Prisma.sql`run.id = any (${[...ids]}::uuid[])`)} select 1 from put_back`,
  cancel: (ids) => cancelQueued(Prisma.sql`id = any (${[...ids]}::uuid[])`, cancelledManually),
};
