import { setTimeout as delay } from "node:timers/promises";
import { errorCode, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logSeldom } from "#lib/base/log-counted.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import type { Job } from "./job.ts";
import { type JobReport, jobTurnEnded } from "./job-signal.ts";

/** Jobs that share one budget. Groups run side by side. */
type JobGroup = {
  /** The pause between two turns. */
  readonly everyMs: number;
  /**
   * The time after which a turn ends, so that other jobs get theirs. Omitted: a turn ends when no
   * work is left.
   */
  readonly budgetMs?: number;
  /**
   * True if the first turn starts at once, so that it also happens on a server that restarts often.
   */
  readonly startsAtOnce?: boolean;
  readonly jobs: readonly Job[];
};

export type RunningJobs = {
  /** Stops, and settles when the batches in progress are done. */
  stop(): Promise<void>;
};

/**
 * Works on jobs until it is stopped. Any number of processes may do so at the same time, and any of
 * them may be killed: a batch is stored as a whole or not at all.
 */
export function runJobs(groups: readonly JobGroup[]): RunningJobs {
  const stopping = new AbortController();
  const running = groups.map((group) => runGroup(group, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function runGroup(group: JobGroup, signal: AbortSignal): Promise<void> {
  const { everyMs, startsAtOnce = false } = group;
  for (let turn = 0; !signal.aborted; turn += 1) {
    if (turn > 0 || !startsAtOnce) await delay(everyMs, undefined, { signal }).catch(() => {});
    await takeTurn(group, turn, signal);
  }
}

/**
 * Runs the jobs of a group batch by batch, until none has work or the budget is used up. Each turn
 * starts with another job, so that a long one doesn't use up the budget of the others.
 */
export async function takeTurn(
  { jobs, budgetMs = Number.POSITIVE_INFINITY }: Omit<JobGroup, "everyMs">,
  turn: number,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + budgetMs;
  const first = turn % Math.max(1, jobs.length);
  let waiting = [...jobs.slice(first), ...jobs.slice(0, first)];
  while (waiting.length > 0) {
    const busy: Job[] = [];
    for (const job of waiting) {
      if (signal.aborted || performance.now() >= endsAt) return;
      if (await workOn(job, signal)) busy.push(job);
    }
    waiting = busy;
  }
}

/** Runs a job. If it fails, the other jobs continue, and it is tried again at the next turn. */
async function workOn({ kind, work }: Job, signal: AbortSignal): Promise<boolean> {
  const startedAt = performance.now();
  const report = (outcome: JobReport["outcome"]) => {
    const durationMs = performance.now() - startedAt;
    if (jobTurnEnded.isHeard) jobTurnEnded.send({ kind, outcome, durationMs });
  };
  try {
    const hasWork = await work(signal);
    report(hasWork ? "worked" : "idle");
    return hasWork;
  } catch (error) {
    if (isDatabaseUnavailable(error))
      logSeldom("warn", "job.waits_for_database", { kind, reason: reasonOf(error) });
    else log.warn("job.failed", { kind, error: toError(error) });
    report("failed");
    return false;
  }
}

/** An outage needs no stack. */
function reasonOf(error: unknown): string {
  return sqlStateOf(error) ?? errorCode(error) ?? toError(error).name;
}
