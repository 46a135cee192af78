import { setImmediate } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { readHealth } from "#lib/core/sending/retry/receiver-health.ts";
import { isDatabaseReachable } from "#lib/db/postgres/is-database-reachable.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import type { ClaimedActionRun, ClaimedRun, ClaimedSend } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import { loadDeliveries, loadTargets, type RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import { loadEvents, loadSendTargets } from "#lib/db/queue/load-send-inputs.ts";
import { loadSteps } from "#lib/db/queue/load-steps.ts";
import { releaseRuns } from "#lib/db/queue/release-runs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { KeyedRun } from "#lib/db/queue/set-order-keys.ts";
import { loadSentRequests } from "#lib/db/replays/load-sent-requests.ts";
import { findEndedCallbacks } from "#lib/db/subscriptions/event-callbacks.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { ThreadPool } from "#lib/threads/thread-pool.ts";
import type { WorkTasks } from "../action/execute-options.ts";
import { type Executed, failUnexpectedly, failUnloaded } from "../outcome/run-outcome.ts";
import { executeSend, type SendOptions } from "../send/execute-send.ts";
import type { StepsOptions } from "../steps/worker-run.ts";
import { executeAndReply } from "./execute-and-reply.ts";
import { executeRun } from "./execute-run.ts";
import { findOrderKey } from "./find-order-key.ts";

export type StartOptions = Omit<StepsOptions & SendOptions, "random" | "threads"> & {
  readonly threads: ThreadPool<WorkTasks>;
  /** Aborted once the run needn't be worked on. */
  readonly pointlessSignal: (run: ClaimedRun) => AbortSignal;
  readonly onFinished: (run: FinishedRun) => void;
  readonly onCalled: (run: ClaimedRun, finished: FinishedRun, result: CallResult) => void;
  /** Called once the key of a run of an ordered action is found. */
  readonly onKeyed: (run: KeyedRun) => void;
  /** Called with runs that are back in the queue, without an attempt. */
  readonly onReleased: (runs: readonly ClaimedRun[]) => void;
};

/**
 * Loads the data of claimed runs that the claim did not include, and executes them. Every run
 * always comes back through `onFinished` or `onReleased`. Never rejects. Settles when all have
 * started.
 */
export async function startRuns(runs: readonly ClaimedRun[], options: StartOptions): Promise<void> {
  try {
    const actionRuns = runs.filter((run) => run.kind === "action");
    const sends = runs.filter((run) => run.kind === "send");
    const start = await Promise.all([
      loadActionRuns(actionRuns, options),
      loadSends(sends, options),
    ]);
    if (options.stopping.aborted) return await release(runs, options);
    let bytes = 0;
    for (const { run, execute } of start.flat()) {
      void finishOne(run, execute, options);
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

type Start = {
  readonly run: ClaimedRun;
  readonly execute: () => Promise<Executed | KeyedRun | "released">;
};

/**
 * Loads the runs of actions. Those of one delivery come together, because they share its parsed
 * parts.
 */
async function loadActionRuns(
  runs: readonly ClaimedActionRun[],
  options: StartOptions,
): Promise<Start[]> {
  const { db, configs } = options;
  const findTarget = (run: ClaimedActionRun) => configs.find(run.targetId, run.targetVersion);
  const changed = runs.filter((run) => findTarget(run) === undefined);
  const bare = runs.filter(({ delivery }) => delivery === null);
  const [targets, deliveries] = await Promise.all([
    loadTargets(db, [...new Set(changed.map(({ targetId }) => targetId))]),
    loadDeliveries(db, distinct(bare.map(({ deliveryId }) => deliveryId))),
  ]);
  const hasLedger = (run: ClaimedActionRun) =>
    !run.isHandedOver &&
    typeof (findTarget(run) ?? targets.get(run.targetId))?.stepsJson === "string";
  const idsOf = (some: readonly ClaimedRun[]) => some.map(({ id }) => id);
  const [ledgers, sent] = await Promise.all([
    loadSteps(db, idsOf(runs.filter(hasLedger))),
    loadSentRequests(db, idsOf(runs.filter(({ hasOwnId }) => hasOwnId))),
  ]);
  let latest: RunDelivery | undefined;
  return runs.toSorted(byDelivery).map((run) => {
    const target = findTarget(run) ?? targets.get(run.targetId);
    if (latest === undefined || latest.id !== run.deliveryId)
      latest = run.delivery ?? deliveries.get(run.deliveryId);
    const records = ledgers.get(run.id) ?? [];
    const input = { run, target, delivery: latest, records, sent: sent.get(run.id) };
    const finish = repliesToProvider(run, target) ? executeAndReply : executeRun;
    const execute = run.isUnkeyed ? findOrderKey : finish;
    return { run, execute: () => execute(input, toRunOptions(run, options)) };
  });
}

/** False for a replay: no provider waits for it. */
function repliesToProvider({ hasOwnId }: ClaimedActionRun, target: RunTarget | undefined): boolean {
  return target !== undefined && target.replyJson !== null && !hasOwnId;
}

/** Loads the runs of subscriptions. */
async function loadSends(runs: readonly ClaimedSend[], options: StartOptions): Promise<Start[]> {
  const { db, sendConfigs } = options;
  const findTarget = (run: ClaimedSend) => sendConfigs.find(run.targetId, run.targetVersion);
  const changed = runs.filter((run) => findTarget(run) === undefined);
  const [targets, events] = await Promise.all([
    loadSendTargets(db, [...new Set(changed.map(({ targetId }) => targetId))]),
    loadEvents(db, distinct(runs.map(({ eventId }) => eventId))),
  ]);
  const targetOf = (run: ClaimedSend) => findTarget(run) ?? targets.get(run.targetId);
  const callbacks = runs.filter((run) => typeof targetOf(run)?.callbackId === "string");
  const endedCallbacks = await findEndedCallbacks(
    db,
    distinct(callbacks.map(({ targetId }) => targetId)),
  );
  return runs.map((run) => {
    const target = targetOf(run);
    // It was active when the run was claimed. Its receiver URL may be another one since.
    if (target?.isActive === false) return { run, execute: async () => "released" };
    const isEnded = endedCallbacks.has(run.targetId);
    const input = { run, target, event: events.get(run.eventId), isEnded };
    return { run, execute: () => executeSend(input, toRunOptions(run, options)) };
  });
}

/** The run's work in threads takes turns with that of other actions, and ends with the run. */
function toRunOptions(run: ClaimedRun, options: StartOptions): StepsOptions & SendOptions {
  const signal = options.pointlessSignal(run);
  const threads = options.threads.of({ actionId: run.targetId, signal });
  return { ...options, threads, random: Math.random };
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function byDelivery({ deliveryId: a }: ClaimedActionRun, { deliveryId: b }: ClaimedActionRun) {
  return a < b ? -1 : Number(a > b);
}

/**
 * Splits runs that are too much for one statement, or contain a row that can't be read: the others
 * must not wait for it.
 */
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

async function finishOne(
  run: ClaimedRun,
  execute: Start["execute"],
  options: StartOptions,
): Promise<void> {
  try {
    const outcome = await execute();
    if (outcome === "released") return await release([run], options);
    if ("orderKey" in outcome) {
      options.onKeyed(outcome);
      return;
    }
    const { finished, result } = outcome;
    logAttempt(run, finished, result?.response?.status ?? null);
    if (result !== null) options.onCalled(run, finished, result);
    options.onFinished(withHealth(run, finished, result));
  } catch (error) {
    if (options.pointlessSignal(run).aborted) return await release([run], options);
    log.error("run.failed_unexpectedly", { runId: run.id, error: toError(error) });
    options.onFinished(withHealth(run, failUnexpectedly(run), null));
  }
}

function withHealth(
  { id, breakers }: ClaimedRun,
  finished: FinishedRun,
  result: CallResult | null,
): FinishedRun {
  if (breakers.length === 0) return finished;
  const outcome = { health: readHealth(result), durationMs: result?.durationMs ?? 0 };
  return { ...finished, health: breakers.map((targetId) => ({ targetId, runId: id, ...outcome })) };
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
    ...(run.kind === "send"
      ? { eventId: run.eventId, subscriptionId: run.targetId }
      : { deliveryId: run.deliveryId, actionId: run.targetId }),
    accountId: run.accountId,
    attempt: attempt?.number ?? null,
    status,
    errorCode: attempt?.errorCode ?? null,
    durationMs: attempt?.durationMs ?? 0,
    next: next.state,
    inMs: "delayMs" in next ? next.delayMs : undefined,
  });
}
