import { setImmediate } from "node:timers/promises";
import { isAnswering } from "#lib/db/is-answering.ts";
import type { ClaimedRun } from "#lib/db/queue/claim-runs.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { loadRunInputs } from "#lib/db/queue/load-run-inputs.ts";
import { releaseRuns } from "#lib/db/queue/release-runs.ts";
import type { SqlDatabase } from "#lib/db/sql-database.ts";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import {
  type ExecuteInput,
  type ExecuteOptions,
  executeRun,
  failSurprised,
  failUnloaded,
} from "./execute-run.ts";

export type StartOptions = Omit<ExecuteOptions, "random"> & {
  readonly db: SqlDatabase;
  /** From then on nothing is begun any more; calls under way have `signal`. */
  readonly stopping: AbortSignal;
  readonly onFinished: (run: FinishedRun) => void;
  /** Back in the queue, untried. */
  readonly onReleased: (runs: readonly ClaimedRun[]) => void;
};

/**
 * Loads what claimed runs are made of, and executes them. Every one of them comes back by `onFinished` or `onReleased`, whatever happens;
 * never rejects. It settles when all have been begun.
 */
export async function startRuns(runs: readonly ClaimedRun[], options: StartOptions): Promise<void> {
  try {
    const { targets, deliveries } = await loadRunInputs(options.db, runs);
    if (options.stopping.aborted) return await release(runs, options);
    for (const run of runs) {
      const delivery = deliveries.get(run.deliveryId);
      void execute({ run, target: targets.get(run.actionId), delivery }, options);
      // A large body takes long to read. Renewals, answers to other calls and their deadlines must not wait for all of them.
      if (run.bodySize > largeBodyBytes) await setImmediate();
    }
  } catch (error) {
    log.error("runs.load_failed", { runs: runs.length, error: toError(error) });
    await startInHalves(runs, options);
  }
}

const largeBodyBytes = 64 * 1024;

/** Too much for one statement, or one that can't be read: the others must not wait for it. */
async function startInHalves(runs: readonly ClaimedRun[], options: StartOptions): Promise<void> {
  if (options.stopping.aborted || !(await isAnswering(options.db))) return release(runs, options);
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
    const { finished, status } = await executeRun(input, { ...options, random: Math.random });
    logAttempt(input.run, finished, status);
    options.onFinished(finished);
  } catch (error) {
    log.error("run.surprised", { runId: input.run.id, error: toError(error) });
    options.onFinished(failSurprised(input.run));
  }
}

/** Back to the queue untried. When that fails too, the lease runs out. */
async function release(runs: readonly ClaimedRun[], { db, onReleased }: StartOptions): Promise<void> {
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
