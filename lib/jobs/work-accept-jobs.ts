import {
  type AcceptJob,
  type AcceptOutcome,
  addAcceptOutcomes,
  lockAcceptJob,
} from "#lib/db/deliveries/accept-jobs.ts";
import { type ScannedDelivery, scanRejected } from "#lib/db/deliveries/scan-rejected.ts";
import { readRejected } from "#lib/db/deliveries/stored-requests.ts";
import { lockAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { acceptRejected } from "#lib/evaluate/stored/accept-rejected.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";

const batchRows = 100;
const batchBytes = 8 * 1024 * 1024;

/**
 * Accepts the next batch of one job. The outcomes and the job's progress are written in one
 * transaction, which holds the job and its hooks exclusively.
 *
 * @returns whether there was a job
 */
export async function workAcceptJobs(db: SqlDatabase, parts: EvaluationParts): Promise<boolean> {
  const outcomes = await db.$transaction(async (tx) => {
    const job = await lockAcceptJob(tx);
    return job === null ? null : await acceptBatch(tx, job, parts);
  });
  if (outcomes === null) return false;
  if (outcomes.some(({ kind }) => kind === "accepted")) notifyRunsDue(db);
  return true;
}

async function acceptBatch(
  tx: SqlStatements,
  { id, accountId, filter, seenBefore: after }: AcceptJob,
  parts: EvaluationParts,
): Promise<readonly AcceptOutcome[]> {
  const span = { after, before: id, limit: batchRows };
  const scanned = await scanRejected(tx, accountId, filter, span);
  const taken = takeBytes(scanned);
  const last = taken.at(-1);
  const isAtEnd =
    last === undefined || (taken.length === scanned.length && scanned.length < batchRows);
  const outcomes = await acceptAll(tx, accountId, taken, parts);
  await addAcceptOutcomes(tx, id, outcomes, { seenBefore: last?.id ?? after, isAtEnd });
  return outcomes;
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
    const rows = await readRejected(tx, accountId, ids);
    outcomes.push(...(await acceptRejected(tx, hook, rows, parts)));
  }
  return outcomes;
}
