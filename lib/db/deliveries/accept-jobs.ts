import type { Database } from "#lib/db/postgres/client.ts";
import { firstId } from "#lib/db/postgres/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { type BulkJobRecord, insertBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { RejectedFilter } from "#lib/schema/delivery.ts";
import { scanRejected } from "./scan-rejected.ts";

/** More are shown as "all". A search reads bodies, so it counts fewer. */
const maxCounted = 10_000;
const maxSearched = 2_000;

/** The number of deliveries that a job would process now. Null: more than are counted. */
export async function countRejected(
  db: SqlStatements,
  accountId: string,
  filter: RejectedFilter,
): Promise<number | null> {
  const limit = filter.q === undefined ? maxCounted : maxSearched;
  const scanned = await scanRejected(db, accountId, filter, { limit: limit + 1 });
  return scanned.length > limit ? null : scanned.filter(({ isMatch }) => isMatch).length;
}

/**
 * A job for the deliveries that are rejected now. Throws `conflict` if there are none or too many
 * jobs are running.
 */
export async function createAcceptJob(
  db: Database,
  accountId: string,
  filter: RejectedFilter,
): Promise<BulkJobRecord> {
  const total = await countRejected(db, accountId, filter);
  if (total === 0) throw new AppError("conflict", "No rejected delivery matches this filter.");
  // Ids contain times: later deliveries have a larger one than the job.
  return await insertBulkJob(db, accountId, {
    id: newId(),
    kind: "accept",
    filter,
    total,
    seenBefore: firstId,
  });
}

export type AcceptJob = {
  readonly id: string;
  readonly accountId: string;
  readonly filter: RejectedFilter;
  /**
   * The last one scanned. These jobs start with the oldest, so that runs are queued in the order of
   * their events.
   */
  readonly seenBefore: string;
};

/** Locks one of the unfinished jobs until the transaction ends. */
export async function lockAcceptJob(tx: SqlStatements): Promise<AcceptJob | null> {
  const [job] = await tx.$queryRaw<AcceptJob[]>`
    select id, account_id as "accountId", filter, seen_before as "seenBefore" from bulk_jobs
    where finished_at is null and kind = 'accept' order by random() limit 1 for update skip locked`;
  return job ?? null;
}

/** The outcome for a rejected delivery. */
export type AcceptOutcome =
  | { readonly kind: "accepted" }
  /** Its event had arrived before, or again since. */
  | { readonly kind: "duplicate" }
  /** It can't be checked again, because a part of it was not stored. */
  | { readonly kind: "notStored"; readonly detail: string }
  /** It is still rejected. */
  | { readonly kind: "rejected"; readonly detail: string };

/** Adds the outcomes of a batch to its job. */
export async function addAcceptOutcomes(
  tx: SqlStatements,
  jobId: string,
  outcomes: readonly AcceptOutcome[],
  { seenBefore, isAtEnd }: { readonly seenBefore: string; readonly isAtEnd: boolean },
): Promise<void> {
  const count = (kind: AcceptOutcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  await tx.$executeRaw`
    update bulk_jobs set seen_before = ${seenBefore}::uuid,
      changed_count = changed_count + ${count("accepted")}::int,
      duplicate_count = duplicate_count + ${count("duplicate")}::int,
      rejected_count = rejected_count + ${count("rejected")}::int,
      not_stored_count = not_stored_count + ${count("notStored")}::int,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${jobId}::uuid`;
}
