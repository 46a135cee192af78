import { setImmediate } from "node:timers/promises";
import { isDatabaseReachable } from "#lib/db/postgres/is-database-reachable.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { loadDeliveries, loadTargets } from "#lib/db/queue/load-run-inputs.ts";
import { releaseRuns } from "#lib/db/queue/release-runs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import {
  type ExecuteInput,
  type ExecuteOptions,
  executeRun,
  failUnexpectedly,
  failUnloaded,
} from "./execute-run.ts";

export type StartOptions = Omit<ExecuteOptions, "random"> & {
  readonly db: SqlDatabase;
  /** After this nothing starts any more. Calls in flight have `signal`. */
  readonly stopping: AbortSignal;
  readonly onFinished: (run: FinishedRun) => void;
  readonly onCalled: (actionId: string, result: CallResult) => void;
  /** Back in the queue, not attempted. */
  readonly onReleased: (runs: readonly ClaimedRun[]) => void;
};

/**
 * Loads what claimed runs need and did not come with them, and executes them. Every run comes back through `onFinished` or
 * `onReleased`, whatever happens. Never rejects. Settles when all have started.
 */
export async function startRuns(runs: readonly ClaimedRun[], options: StartOptions): Promise<void> {
  try {
    const { db, configs } = options;
    const findTarget = (run: ClaimedRun) => configs.find(run.actionId, run.actionVersion);
    const changed = runs.filter((run) => findTarget(run) === undefined);
    const bare = runs.filter(({ delivery }) => delivery === null);
    const [targets, deliveries] = await Promise.all([
      loadTargets(db, [...new Set(changed.map(({ actionId }) => actionId))]),
      loadDeliveries(db, [...new Set(bare.map(({ deliveryId }) => deliveryId))]),
    ]);
    if (options.stopping.aborted) return await release(runs, options);
    let bytes = 0;
    let latest: RunDelivery | undefined;
    // The runs of one delivery side by side, because they share what is read of it.
    for (const run of runs.toSorted(byDelivery)) {
      const target = findTarget(run) ?? targets.get(run.actionId);
      if (latest?.id !== run.deliveryId) latest = run.delivery ?? deliveries.get(run.deliveryId);
      void execute({ run, target, delivery: latest }, options);
      // Reading bodies takes time. Renewals, other responses, and deadlines must not wait for all
      // of them.
      bytes += run.bodySize;
      if (bytes < maxBytesAtOnce) continue;
      bytes = 0;
      await setImmediate();
    }
  } catch (error) {
    log.error("runs.load_failed", { runs: runs.length, error: toError(error) });
    if (
      options.stopping.aborted ||
      isDatabaseUnavailable(error) ||
      !(await isDatabaseReachable(options.db))
    )
      await release(runs, options);
    else await startInHalves(runs, options);
  }
}

const maxBytesAtOnce = 16 * 1024;

function byDelivery(a: ClaimedRun, b: ClaimedRun): number {
  return a.deliveryId < b.deliveryId ? -1 : Number(a.deliveryId > b.deliveryId);
}

/** Too much for one statement, or one row that can't be read: the others must not wait for it. */
async function startInHalves(runs: readonly ClaimedRun[], options: StartOptions): Promise<void> {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) {
    options.onFinished(failUnloaded(only, Math.random()));
    return;
  }
  const middle = Math.ceil(runs.length / 2);
  await startRuns(runs.slice(0, middle), options);
  await startRuns(runs.slice(middle), options);
}

async function execute(input: ExecuteInput, options: StartOptions): Promise<void> {
  try {
    const { finished, result } = await executeRun(input, { ...options, random: Math.random });
    logAttempt(input.run, finished, result?.response?.status ?? null);
    if (result !== null) options.onCalled(input.run.actionId, result);
    options.onFinished(finished);
  } catch (error) {
    log.error("run.failed_unexpectedly", { runId: input.run.id, error: toError(error) });
    options.onFinished(failUnexpectedly(input.run));
  }
}

/** Releases runs that were not attempted. If that fails too, their lease expires. */
async function release(
  runs: readonly ClaimedRun[],
  { db, onReleased }: StartOptions,
): Promise<void> {
  try {
    await releaseRuns(db, runs);
  } catch (error) {
    log.error("runs.release_failed", { runs: runs.length, error: toError(error) });
  }
  onReleased(runs);
}

function logAttempt(run: ClaimedRun, { attempt, next }: FinishedRun, status: number | null): void {
  log.info("run.attempted", {
    runId: run.id,
    deliveryId: run.deliveryId,
    actionId: run.actionId,
    accountId: run.accountId,
    attempt: attempt?.number ?? null,
    status,
    errorCode: attempt?.errorCode ?? null,
    durationMs: attempt?.durationMs ?? 0,
    next: next.state,
    inMs: "delayMs" in next ? next.delayMs : undefined,
  });
}
