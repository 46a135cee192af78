import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { readDelay } from "#lib/core/steps/kinds/delay.ts";
import type { StepEffect } from "#lib/core/steps/kinds/step-kind.ts";
import type { StepDriver, StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { isDatabaseUnavailable } from "#lib/db/postgres/sql-state.ts";
import { findStep } from "./find-step.ts";
import { performCall } from "./perform-call.ts";
import { performPublish } from "./perform-publish.ts";
import { resolveNeeds, transformInRun } from "./step-context.ts";
import { endStep, lost, pause, pauseForDelay } from "./step-ends.ts";
import { placeOf, type WorkerRun } from "./worker-run.ts";

/** Performs the effects of steps, and records their outcomes in the ledger of the run. */
export function performSteps(worker: WorkerRun): StepDriver {
  const { stopping, context } = worker;
  return {
    ...resolveNeeds(context),
    findStop: () => (stopping.aborted ? stopped : null),
    find: (run) => findStep(worker, run),
    chooseItems: ({ forEach }, list) => ({
      items: list.map((value, index) => ({ value, index })),
      parallel: forEach?.parallel ?? 1,
    }),
    perform: (run, effect) => performOrPause(worker, run, effect),
    end: (run, outcome) => endStep(worker, run, outcome),
  };
}

/**
 * An event can't be stored, or a slot not reserved, while the database is away, as during a failover.
 * The ledger says how far the step is, so the run goes on from there.
 */
async function performOrPause(
  worker: WorkerRun,
  stepRun: StepRun,
  effect: StepEffect,
): Promise<StepEnd> {
  try {
    return await perform(worker, stepRun, effect);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn("step.paused", {
      runId: worker.run.id,
      step: stepRun.step.key,
      error: toError(error),
    });
    return pause(stepRun.step, "retry", "the database was away.", databasePauseMs);
  }
}

const databasePauseMs = 1_000;

async function perform(worker: WorkerRun, run: StepRun, effect: StepEffect): Promise<StepEnd> {
  switch (effect.kind) {
    case "call":
      return await performCall(worker, run, effect.request);
    case "publish":
      return await performPublish(worker, run, effect.event);
    case "transform":
      return await endStep(worker, run, await transformInRun(worker.context, run, effect.code));
    case "delay": {
      const read = readDelay(effect, Date.now());
      if (!read.ok) return await endStep(worker, run, { ...read, state: "failed" });
      const { delayMs } = read;
      const change = { state: "waiting", delayMs } as const;
      const isKept = await worker.ledger.set(run.step.key, placeOf(run), change);
      // The delay passes in the database: the run leaves its worker until then.
      return isKept ? pauseForDelay(run.step, delayMs) : lost;
    }
    default:
      return effect satisfies never;
  }
}

export const stopped = {
  kind: "pause",
  code: "worker_stopped",
  detail: "The worker was stopped between two steps.",
  delayMs: 0,
} as const;
