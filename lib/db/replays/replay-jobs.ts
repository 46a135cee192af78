import { getHook } from "#lib/db/hooks/hooks.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { firstId } from "#lib/db/postgres/page.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import {
  type BulkJobRecord,
  getBulkJob,
  insertBulkJob,
  maxCounted,
} from "#lib/db/runs/bulk-jobs.ts";
import { AppError } from "#lib/errors.ts";
import { isId, newId } from "#lib/ids.ts";
import type { BulkReplay, ReplayFilter } from "#lib/schema/replay.ts";
import { type LeftOut, type ReplayedPair, scanReplayed } from "./scan-replayed.ts";

/** How many are shown of what a replay would do. */
const sampleSize = 5;
const batchCounted = 2_000;

export type ReplayPlan = {
  readonly filter: ReplayFilter;
  /** Runs that it would queue now. Null: more deliveries than are counted. */
  readonly total: number | null;
  /** The first of them. */
  readonly sample: readonly ReplayedPair[];
  /** Null: it sends what the actions say now, or there are more deliveries than are counted. */
  readonly leftOut: LeftOut | null;
};

/** What a replay would do now. Throws `not_found` and `conflict`, with the field to change. */
export async function planReplay(
  db: Database,
  accountId: string,
  { filter: of, actionIds, ...rest }: BulkReplay,
): Promise<ReplayPlan> {
  const hook = await getHook(db, accountId, of.hookId);
  const actions = await requireActions(db, hook.id, actionIds);
  const { as, onlyMissing, ratePerMinute, stopAfterFailures } = rest;
  const options = { as, onlyMissing, ratePerMinute, stopAfterFailures };
  const filter: ReplayFilter = { ...of, hookId: hook.id, actionIds: actions, ...options };
  if (as === "then" && onlyMissing)
    throw new AppError(
      "invalid_request",
      "as: a delivery without a run has no request of then. Use now, or leave out onlyMissing.",
      {
        errors: [{ path: "as", code: "conflict", message: "can't be then with onlyMissing" }],
      },
    );
  let after = firstId;
  let total = 0;
  const sample: ReplayedPair[] = [];
  const leftOut = { notStored: 0, nothingSent: 0 };
  for (let seen = 0; seen < maxCounted; seen += batchCounted) {
    const span = { after, limit: batchCounted };
    const { pairs, last, ...more } = await scanReplayed(db, accountId, filter, actions, span);
    total += pairs.length;
    leftOut.notStored += more.leftOut.notStored;
    leftOut.nothingSent += more.leftOut.nothingSent;
    sample.push(...pairs.slice(0, sampleSize - sample.length));
    if (last === null) return { filter, total, sample, leftOut: as === "then" ? leftOut : null };
    after = last;
  }
  return { filter, total: null, sample, leftOut: null };
}

/**
 * A job for the deliveries that are there now. It runs in the background, oldest first. Throws
 * `conflict` if there are none or too many jobs are running.
 */
export async function createReplayJob(
  db: Database,
  accountId: string,
  { filter, total, leftOut }: ReplayPlan,
): Promise<BulkJobRecord> {
  if (total === 0)
    throw new AppError(
      "conflict",
      leftOut === null || leftOut.notStored === 0
        ? "Nothing to replay. Change the filter and try again."
        : `Nothing to replay: ${describeNotStored(leftOut.notStored)}`,
    );
  // Ids contain times: later deliveries have a larger one than the job.
  const job = { id: newId(), kind: "replay", filter, total, seenBefore: firstId } as const;
  return await insertBulkJob(db, accountId, job);
}

/** `count` is at least 1. */
function describeNotStored(count: number): string {
  const runs = count === 1 ? "1 run is" : `${count} runs are`;
  return `${runs} from before an upgrade, without the request that can be sent again. Use as: now.`;
}

/** What is queued goes on. Throws `conflict` if it isn't a replay that is running. */
export async function pauseReplay(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<BulkJobRecord> {
  const { id } = await getBulkJob(db, accountId, jobId);
  const changed = await db.$executeRaw`
    update bulk_jobs set status = 'paused', pause_reason = null
    where id = ${id}::uuid and account_id = ${accountId}::uuid and kind = 'replay' and status = 'running'`;
  if (changed === 0) throw new AppError("conflict", "Only a replay that is running can be paused.");
  return await getBulkJob(db, accountId, id);
}

/** Failures until now don't stop it again. Throws `conflict` if it isn't paused. */
export async function resumeReplay(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<BulkJobRecord> {
  const { id } = await getBulkJob(db, accountId, jobId);
  const changed = await db.$executeRaw`
    update bulk_jobs set status = 'running', pause_reason = null, next_at = null, failed_before = failed_count
    where id = ${id}::uuid and account_id = ${accountId}::uuid and status = 'paused'`;
  if (changed === 0) throw new AppError("conflict", "This job isn't paused.");
  return await getBulkJob(db, accountId, id);
}

/** In their order. A run of a disabled action would only wait. */
async function requireActions(
  tx: SqlStatements,
  hookId: string,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string; enabled: boolean }[]>`
    select id, enabled from actions where hook_id = ${hookId}::uuid and deleted_at is null
    order by position, id`;
  if (wanted === undefined) {
    const enabled = rows.filter((row) => row.enabled).map(({ id }) => id);
    if (enabled.length > 0) return enabled;
    throw new AppError("conflict", "The hook has no enabled action, so there is nothing to run.");
  }
  for (const [index, id] of wanted.entries()) {
    const found = isId(id) ? rows.find((row) => row.id === id) : undefined;
    const path = `actionIds.${index}`;
    if (found === undefined)
      throw new AppError("not_found", "The hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!found.enabled)
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
  return rows.map(({ id }) => id).filter((id) => wanted.includes(id));
}
