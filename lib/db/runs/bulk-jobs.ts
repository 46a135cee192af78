import { decodeCursor, type Page, type PageRequest, toIdSpan, toPage } from "#lib/core/api/page.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { type BulkJob, Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { JobLimits, JobState } from "#lib/schema/act/bulk-job.ts";
import type { ReplayFilter } from "#lib/schema/act/replay.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import type { RejectedFilter } from "#lib/schema/receive/delivery.ts";
import type { TakeInFilter } from "#lib/schema/receive/gap.ts";
import { listTargets, matchesRun } from "./list-runs.ts";
import { hasPossibleIds, type RunFilter } from "./run-filter.ts";
import { runSourcesOf } from "./run-sources.ts";
import { selectRunIds } from "./select-run-ids.ts";

/** A filter with one status: the runs that a job changes. */
export type BulkFilter = RunFilter & { readonly status: NonNullable<RunFilter["status"]> };

/** Changes many runs in the background, accepts deliveries, or sends events. */
export type BulkJobRecord = JobOf &
  JobState & {
    /** Runs queued per minute. Null: no limit. */
    readonly ratePerMinute: number | null;
    /** Null: failures don't pause it. */
    readonly stopAfterFailures: number | null;
    /** When a run was last counted as ended. */
    readonly countedAt: Date | null;
    readonly finishedAt: Date | null;
  };

type JobOf =
  | { readonly kind: BulkKind; readonly filter: BulkFilter }
  | {
      readonly kind: "accept";
      readonly filter: RejectedFilter;
      /** Outcomes that are not new events. */
      readonly duplicateCount: number;
      readonly rejectedCount: number;
      /** Deliveries that can't be checked, because a part of them was not stored. */
      readonly notStoredCount: number;
    }
  | {
      readonly kind: "take_in";
      readonly filter: TakeInFilter;
      /** Events that a webhook has brought since. */
      readonly duplicateCount: number;
      readonly rejectedCount: number;
    }
  | { readonly kind: "replay_missing"; readonly filter: MissingFilter }
  | { readonly kind: "replay"; readonly filter: ReplayFilter };

/** The events that a subscription never got, published since a time in Unix milliseconds. */
export type MissingFilter = { readonly subscriptionId: string; readonly from: number };

/** The maximum count. Larger counts are shown as "more than". */
export const maxCounted = 100_000;

/** Counts the runs that a job would change now. Null: more than `maxCounted`. */
export async function countBulkRuns(
  db: Database,
  accountId: string,
  kind: BulkKind,
  filter: BulkFilter,
): Promise<number | null> {
  if (!hasPossibleIds(filter)) return 0;
  const targetIds = await listTargets(db, accountId, filter);
  const span = toIdSpan(filter, decodeCursor(undefined));
  const limit = maxCounted + 1;
  const [row] = await db.$queryRaw<{ count: number; scanned: number }[]>`
    with scanned as materialized (${selectRunIds({ accountId, filter, targetIds, span, limit })})
    select (select count(*) from scanned)::int as scanned, count(*)::int as count
    from ${runSourcesOf(Prisma.sql`array(select id from scanned)`)}
    where ${matchesRun(db, accountId, filter)} and ${canChange(kind)}`;
  if (row === undefined || row.scanned > maxCounted) return null;
  return row.count;
}

/**
 * Condition on `runSourcesOf`: the run is not leased, and its action or subscription still exists.
 */
export function canChange(kind: BulkKind): Prisma.Sql {
  if (kind === "cancel") return Prisma.sql`r.finished_at is null and r.lease_id is null`;
  return Prisma.sql`r.finished_at is not null and (
    (r.hook_id is null and s.id is not null and s.deleted_at is null) or (a.id is not null and a.deleted_at is null)
  )`;
}

export type NewBulkJob = Pick<BulkJobRecord, "id" | "kind" | "filter" | "total"> & {
  readonly seenBefore: string;
  readonly limits: JobLimits;
};

/** The maximum number of jobs that have not ended. */
export type JobRoom = {
  readonly ofAccount: number;
  /** Jobs over the subscriptions of one recipient. Omitted: only the account's number counts. */
  readonly ofRecipient?: { readonly recipient: string; readonly jobs: number };
};

/** Stores a job. False, and nothing is stored, if there is no room for it. */
export async function insertBulkJob(
  db: Database | Transaction,
  accountId: string,
  { id, kind, filter, total, seenBefore, limits }: NewBulkJob,
  { ofAccount, ofRecipient }: JobRoom,
): Promise<boolean> {
  const { recipient = null, jobs: ofOne = ofAccount } = ofRecipient ?? {};
  const { ratePerMinute, stopAfterFailures, trial } = limits;
  const made = await db.$transaction(async (tx) => {
    // Jobs are added one at a time within an account, so that the count is still correct when the
    // job is stored.
    await lockAccount(tx, accountId);
    // The database's clock, by which runs end, decides what existed before.
    return await tx.$executeRaw`
      insert into bulk_jobs (id, account_id, kind, filter, total, seen_before, rate_per_minute, stop_after_failures, is_trial)
      select ${id}::uuid, ${accountId}::uuid, ${kind}, ${JSON.stringify(filter)}::json, ${total}::int, ${seenBefore}::uuid,
        ${ratePerMinute}::int, ${stopAfterFailures}::int, ${trial}::boolean
      from (
        select count(*) as jobs, count(*) filter (where s.recipient = ${recipient}::text) as of_recipient
        from bulk_jobs b left join subscriptions s on s.id = (b.filter ->> 'subscriptionId')::uuid
        where b.account_id = ${accountId}::uuid and b.finished_at is null
      ) as unfinished
      where jobs < ${ofAccount}::int and of_recipient < ${ofOne}::int`;
  });
  return made > 0;
}

/** Throws `not_found`. */
export async function getBulkJob(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<BulkJobRecord> {
  const job = await db.bulkJob.findFirst({ where: { id: requireId("job", jobId), accountId } });
  if (job === null) throw notFound("job");
  return toRecord(job);
}

/** False: it has ended, or is gone. */
export async function isJobOpen(db: Database, accountId: string, id: string): Promise<boolean> {
  return (await db.bulkJob.count({ where: { id, accountId, finishedAt: null } })) > 0;
}

/** Lists jobs, newest first. */
export async function listBulkJobs(
  db: Database,
  accountId: string,
  page: PageRequest,
  /** The kinds to list. Default: all. */
  kinds?: readonly BulkJobRecord["kind"][],
): Promise<Page<BulkJobRecord>> {
  const before = decodeCursor(page.cursor);
  const jobs = await db.bulkJob.findMany({
    where: {
      accountId,
      id: { lt: before },
      ...(kinds === undefined ? {} : { kind: { in: [...kinds] } }),
    },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  const { items, nextCursor } = toPage(jobs, page.limit);
  return { items: items.map(toRecord), nextCursor };
}

/** Cancels a job. False if it has ended. Its changes stay. */
export async function markBulkJobCancelled(
  db: Database | Transaction,
  accountId: string,
  jobId: string,
): Promise<boolean> {
  // By the database's clock, which the sweep compares it with.
  const count = await db.$executeRaw`
    update bulk_jobs set status = 'cancelled', finished_at = now()
    where id = ${jobId}::uuid and account_id = ${accountId}::uuid and finished_at is null`;
  return count > 0;
}

/** Pauses a job. False if it isn't running, or ends things and queues none. Queued runs continue. */
export async function markBulkJobPaused(
  db: Database | Transaction,
  accountId: string,
  jobId: string,
): Promise<boolean> {
  const { count } = await db.bulkJob.updateMany({
    where: { id: jobId, accountId, kind: { not: "cancel" }, status: "running" },
    data: { status: "paused", pauseReason: null },
  });
  return count > 0;
}

/** Resumes a job. False if it isn't paused. Earlier failures don't stop it again, and a trial is over. */
export async function markBulkJobResumed(
  db: Database | Transaction,
  accountId: string,
  jobId: string,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    update bulk_jobs set status = 'running', pause_reason = null, next_at = null, failed_before = failed_count,
      is_trial = is_trial and pause_reason is null
    where id = ${jobId}::uuid and account_id = ${accountId}::uuid and status = 'paused'`;
  return changed > 0;
}

function toRecord({
  accountId: _account,
  seenBefore: _seen,
  nextAt: _next,
  failedBefore: _failed,
  countedUntil: _until,
  countAt: _count,
  ...job
}: BulkJob): BulkJobRecord {
  const { kind, filter, duplicateCount, rejectedCount, notStoredCount, pauseReason, ...shared } =
    job;
  const isRunning = job.status === "running";
  const reasons = {
    pauseReason: isRunning ? null : pauseReason,
    problem: isRunning ? pauseReason : null,
  };
  const ofAccept = kind === "accept" ? { notStoredCount } : {};
  const ofEvents = kind === "accept" || kind === "take_in" ? { duplicateCount, rejectedCount } : {};
  // The stored values have passed the schema.
  return {
    ...shared,
    ...reasons,
    kind,
    filter,
    ...ofEvents,
    ...ofAccept,
  } as unknown as BulkJobRecord;
}
