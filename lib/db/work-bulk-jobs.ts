import type { BulkKind } from "#lib/schema/run.ts";
import { type BulkFilter, canChange } from "./bulk-jobs.ts";
import { Prisma } from "./generated/client.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { notifyRunsDue } from "./queue/notify.ts";
import { runSources } from "./run-record.ts";
import { cancelReason, putBack } from "./runs.ts";
import { selectRunIds, toRunSpan } from "./select-run-ids.ts";
import type { SqlDatabase, SqlStatements } from "./sql-database.ts";
import { recountHours } from "./statistics-roll-up.ts";

/** Runs looked at in one transaction. */
const batchRuns = 500;

type Job = {
  readonly id: string;
  readonly account_id: string;
  readonly kind: BulkKind;
  readonly filter: BulkFilter;
  readonly seen_before: string;
};

/**
 * Changes the next batch of one job. The runs and how far the job has come are written in one transaction, in which a job is of one process
 * alone: whoever is killed leaves nothing half done. A run that has ended after the job was made is not touched, which holds for
 * those that the job itself has brought to run again: none is retried twice.
 *
 * @returns whether there was a job to work on
 */
export async function workBulkJobs(db: SqlDatabase): Promise<boolean> {
  const changed = await db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
        select id, account_id, kind, filter, seen_before from bulk_jobs where finished_at is null
        order by random() limit 1 for update skip locked`;
    return job === undefined ? null : await changeBatch(tx, job);
  });
  if (changed === null) return false;
  if (changed.length > 0) notifyRunsDue(db);
  await recountHours(db, changed);
  return true;
}

async function changeBatch(
  tx: SqlStatements,
  { id, account_id: accountId, kind, filter, seen_before: seenBefore }: Job,
): Promise<string[]> {
  const targetIds = await listTargets(tx, accountId, filter);
  const span = toRunSpan(filter, seenBefore);
  const limit = batchRuns;
  const scanned = await tx.$queryRaw<{ id: string }[]>(
    selectRunIds({ accountId, filter, targetIds, span, limit }),
  );
  const ids = scanned.map((run) => run.id);
  // Locked in one order, so that two jobs over the same runs wait for each other instead of dying.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with locked as (
      select r.id from ${runSources}, bulk_jobs job
      where job.id = ${id}::uuid and r.id = any (${ids}::uuid[]) and ${matchesRun(accountId, filter)} and ${canChange(kind)}
        and ${wasThere[kind]}
      order by r.id for no key update of r
    )
    update runs r set ${changes[kind]} from locked where r.id = locked.id returning r.id`;
  const last = scanned.at(-1);
  const isAtEnd = scanned.length < batchRuns || last === undefined;
  await tx.$executeRaw`
    update bulk_jobs set changed_count = changed_count + ${changed.length}::int, seen_before = ${last?.id ?? seenBefore}::uuid,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${id}::uuid`;
  return changed.map((run) => run.id);
}

const wasThere: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: Prisma.sql`r.finished_at <= job.created_at`,
  cancel: Prisma.sql`r.created_at <= job.created_at and r.finished_at is null`,
};

const changes: Readonly<Record<BulkKind, Prisma.Sql>> = {
  retry: putBack,
  cancel: Prisma.sql`state = 'cancelled', reason = ${cancelReason}, finished_at = now()`,
};
