import { type ScannedDelivery, scanRejected } from "#lib/db/deliveries/scan-rejected.ts";
import { readRejected } from "#lib/db/deliveries/stored-requests.ts";
import { lockAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { listQueuedRuns } from "#lib/db/runs/queued-runs.ts";
import { type AcceptOutcome, acceptRejected } from "#lib/evaluate/stored/accept-rejected.ts";
import type { EvaluationParts } from "#lib/evaluate/stored/evaluate-stored.ts";
import type { RejectedFilter } from "#lib/schema/receive/delivery.ts";
import type { Batch, RowWork } from "../lock-row.ts";

const batchRows = 100;
const batchBytes = 8 * 1024 * 1024;

/** Accepts the next deliveries of a job, oldest first, so that runs are queued in their order. */
export async function acceptBatch(
  { tx, id, accountId, filter, seenBefore: after, maxRuns }: RowWork<RejectedFilter>,
  parts: EvaluationParts,
): Promise<Batch> {
  const limit = Math.min(batchRows, maxRuns);
  const span = { after, before: id, limit };
  const scanned = await scanRejected(tx, accountId, filter, span);
  const taken = takeBytes(scanned);
  const last = taken.at(-1);
  const isAtEnd = last === undefined || (taken.length === scanned.length && scanned.length < limit);
  const outcomes = await acceptAll(tx, accountId, taken, parts);
  const accepted = outcomes.flatMap((outcome) =>
    outcome.kind === "accepted" ? outcome.deliveryIds : [],
  );
  const runIds = await listQueuedRuns(tx, accepted);
  const count = (kind: AcceptOutcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    seenBefore: last?.id ?? after,
    isAtEnd,
    changed: count("accepted"),
    runs: runIds.map((runId) => ({ id: runId, sentBy: null })),
    duplicates: count("duplicate"),
    rejected: count("rejected"),
    notStored: count("notStored"),
  };
}

/** The first deliveries that fit into memory together, at least one regardless of its size. */
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
