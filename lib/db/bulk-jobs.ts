import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { BulkKind } from "#lib/schema/run.ts";
import type { Database } from "./client.ts";
import { type BulkJob, Prisma } from "./generated/client.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { notFound, requireId } from "./not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "./page.ts";
import { hasPossibleIds, type RunFilter } from "./run-filter.ts";
import { runSources } from "./run-record.ts";
import { selectRunIds, toRunSpan } from "./select-run-ids.ts";

/** A filter with one status: which runs a job is about. */
export type BulkFilter = RunFilter & { readonly status: NonNullable<RunFilter["status"]> };

/** Many runs that are retried or cancelled in the background. */
export type BulkJobRecord = {
  readonly id: string;
  readonly kind: BulkKind;
  readonly filter: BulkFilter;
  readonly status: "running" | "finished" | "cancelled";
  /** How many runs it found when it was made; null: more than are counted. */
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

/** More is told as "more than". */
export const mostCounted = 100_000;
const mostRunning = 5;

/** How many runs a job would be about now; null: more than `mostCounted`. */
export async function countBulkRuns(
  db: Database,
  accountId: string,
  kind: BulkKind,
  filter: BulkFilter,
): Promise<number | null> {
  if (!hasPossibleIds(filter)) return 0;
  const targetIds = await listTargets(db, accountId, filter);
  const span = toRunSpan(filter, decodeCursor(undefined));
  const limit = mostCounted + 1;
  const [row] = await db.$queryRaw<{ count: number; scanned: number }[]>`
    with scanned as materialized (${selectRunIds({ accountId, filter, targetIds, span, limit })})
    select (select count(*) from scanned)::int as scanned, count(*)::int as count from ${runSources}
    where r.id = any (array(select id from scanned)) and ${matchesRun(accountId, filter)} and ${canChange(kind)}`;
  if (row === undefined || row.scanned > mostCounted) return null;
  return row.count;
}

/** Over `runSources`: nobody is at it, and there is something to run. */
export function canChange(kind: BulkKind): Prisma.Sql {
  if (kind === "cancel") return Prisma.sql`r.lease_id is null`;
  return Prisma.sql`r.lease_id is null and (r.action_id is null or (a.id is not null and a.deleted_at is null))`;
}

/**
 * A job for the runs that the filter shows now: what fails after this moment is not among them. It is worked on in the background.
 * Throws `conflict` where no run fits, or too many jobs are under way.
 */
export async function createBulkJob(
  db: Database,
  accountId: string,
  kind: BulkKind,
  filter: BulkFilter,
): Promise<BulkJobRecord> {
  const total = await countBulkRuns(db, accountId, kind, filter);
  if (total === 0) throw new AppError("conflict", "No run fits this filter now, so there is nothing to do.");
  const running = await db.bulkJob.count({ where: { accountId, finishedAt: null } });
  if (running >= mostRunning) {
    throw new AppError("conflict", `${running} jobs are under way. Wait for one to end, or cancel it.`);
  }
  // The clock of the database, by which runs end, decides what was there before.
  const [job] = await db.$queryRaw<{ id: string }[]>`
    insert into bulk_jobs (id, account_id, kind, filter, total, seen_before)
    values (${newId()}::uuid, ${accountId}::uuid, ${kind}, ${JSON.stringify(filter)}::json, ${total}::int, ${decodeCursor(undefined)}::uuid)
    returning id`;
  return await getBulkJob(db, accountId, job?.id ?? "");
}

/** Throws `not_found`. */
export async function getBulkJob(db: Database, accountId: string, jobId: string): Promise<BulkJobRecord> {
  const job = await db.bulkJob.findFirst({ where: { id: requireId("job", jobId), accountId } });
  if (job === null) throw notFound("job");
  return toRecord(job);
}

/** Newest first. */
export async function listBulkJobs(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<BulkJobRecord>> {
  const before = decodeCursor(page.cursor);
  const jobs = await db.bulkJob.findMany({
    where: { accountId, id: { lt: before } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(jobs, page.limit);
  return { items: items.map(toRecord), nextCursor };
}

/** Ends a job where it is; what it has changed stays changed. Throws `conflict` for one that has ended. */
export async function cancelBulkJob(db: Database, accountId: string, jobId: string): Promise<BulkJobRecord> {
  const before = await getBulkJob(db, accountId, jobId);
  const changed = await db.$executeRaw`
    update bulk_jobs set status = 'cancelled', finished_at = now()
    where id = ${before.id}::uuid and account_id = ${accountId}::uuid and finished_at is null`;
  if (changed === 0) throw new AppError("conflict", "This job has ended already, so it can't be cancelled.");
  return await getBulkJob(db, accountId, jobId);
}

function toRecord(job: BulkJob): BulkJobRecord {
  const { id, kind, status, total, changedCount, createdAt, finishedAt } = job;
  return {
    id,
    kind: kind as BulkKind,
    // Only what has passed the schema is stored.
    filter: job.filter as BulkFilter,
    status: status as BulkJobRecord["status"],
    total,
    changedCount,
    createdAt,
    finishedAt,
  };
}
