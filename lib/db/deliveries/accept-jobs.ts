import type { Database } from "#lib/db/postgres/client.ts";
import { firstId } from "#lib/db/postgres/page.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { type BulkJobRecord, insertBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { RejectedFilter } from "#lib/schema/delivery.ts";
import { type AcceptOutcome, acceptRejected } from "./accept-rejected.ts";
import { lockAcceptingHook } from "./accepting-hook.ts";
import {
  type EvaluationParts,
  type StoredRequest,
  storedRequestColumns,
} from "./evaluate-stored.ts";
import { type ScannedDelivery, scanRejected } from "./scan-rejected.ts";

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

const batchRows = 100;
const batchBytes = 8 * 1024 * 1024;

type Job = {
  readonly id: string;
  readonly account_id: string;
  readonly filter: RejectedFilter;
  /**
   * The last one scanned. These jobs start with the oldest, so that runs are queued in the order of
   * their events.
   */
  readonly seen_before: string;
};

/**
 * Accepts the next batch of one job. The outcomes and the job's progress are written in one
 * transaction, which holds the job and its hooks exclusively.
 *
 * @returns whether there was a job
 */
export async function workAcceptJobs(db: SqlDatabase, parts: EvaluationParts): Promise<boolean> {
  const accepted = await db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
      select id, account_id, filter, seen_before from bulk_jobs
      where finished_at is null and kind = 'accept' order by random() limit 1 for update skip locked`;
    return job === undefined ? null : await acceptBatch(tx, job, parts);
  });
  if (accepted === null) return false;
  if (accepted > 0) notifyRunsDue(db);
  return true;
}

async function acceptBatch(tx: SqlStatements, job: Job, parts: EvaluationParts): Promise<number> {
  const { account_id: accountId, filter, seen_before: after } = job;
  const scanned = await scanRejected(tx, accountId, filter, {
    after,
    before: job.id,
    limit: batchRows,
  });
  const taken = takeBytes(scanned);
  const last = taken.at(-1);
  const isAtEnd =
    last === undefined || (taken.length === scanned.length && scanned.length < batchRows);
  const outcomes = await acceptAll(tx, accountId, taken, parts);
  const count = (kind: AcceptOutcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  await tx.$executeRaw`
    update bulk_jobs set seen_before = ${last?.id ?? after}::uuid,
      changed_count = changed_count + ${count("accepted")}::int,
      duplicate_count = duplicate_count + ${count("duplicate")}::int,
      rejected_count = rejected_count + ${count("rejected")}::int,
      not_stored_count = not_stored_count + ${count("notStored")}::int,
      status = case when ${isAtEnd} then 'finished' else status end, finished_at = case when ${isAtEnd} then now() end
    where id = ${job.id}::uuid`;
  return count("accepted");
}

/** As many from the start as fit into memory, at least one whatever its size. */
function takeBytes(scanned: readonly ScannedDelivery[]): readonly ScannedDelivery[] {
  let bytes = 0;
  const end = scanned.findIndex(({ isMatch, bodySize }, index) => {
    bytes += isMatch ? bodySize : 0;
    return index > 0 && bytes > batchBytes;
  });
  return end === -1 ? scanned : scanned.slice(0, end);
}

/**
 * Hooks are locked in a fixed order, so that two jobs wait for each other instead of deadlocking.
 */
async function acceptAll(
  tx: SqlStatements,
  accountId: string,
  taken: readonly ScannedDelivery[],
  parts: EvaluationParts,
): Promise<readonly AcceptOutcome[]> {
  const byHook = Map.groupBy(
    taken.filter(({ isMatch }) => isMatch),
    ({ hookId }) => hookId,
  );
  const outcomes: AcceptOutcome[] = [];
  for (const hookId of [...byHook.keys()].sort()) {
    const hook = await lockAcceptingHook(tx, accountId, hookId);
    const ids = (byHook.get(hookId) ?? []).map(({ id }) => id);
    if (hook === null) continue;
    if (!hook.isReady) {
      outcomes.push(
        ...ids.map((): AcceptOutcome => ({ kind: "rejected", detail: "The hook is not ready." })),
      );
      continue;
    }
    const rows = await tx.$queryRaw<StoredRequest[]>`
      select ${storedRequestColumns} from unnest(${ids}::uuid[]) as wanted(id)
      cross join lateral (select * from deliveries where id = wanted.id and status = 'rejected' limit 1) d
      order by d.id`;
    outcomes.push(...(await acceptRejected(tx, hook, rows, parts)));
  }
  return outcomes;
}
