import { setTimeout as delay } from "node:timers/promises";
import { log } from "#lib/log.ts";
import { type ChildSpec, type RunningChild, startChild } from "./child-process.ts";

export type SupervisorOptions = {
  /** How long the first start of a child may take. */
  readonly readyTimeoutMs?: number;
  /** The pause before a crashed child is started again; doubles up to `longestPauseMs` while it keeps crashing. */
  readonly firstPauseMs?: number;
};

export type Supervisor = {
  /** Starts one child and waits until it says that it is ready; from then on it is started again when it ends. */
  start(spec: ChildSpec): Promise<void>;
  /** Drains the children one after the other, in the order given by their names; those not named come last. */
  stop(order: readonly string[]): Promise<void>;
  /** Kills every child at once. */
  kill(): void;
};

const longestPauseMs = 5_000;
const healthyAfterMs = 30_000;

/**
 * Keeps the processes of a start running. A child that can't be started the first time fails the start; one that
 * crashes later comes back, because what was acknowledged is in the database and the rest is the sender's to repeat.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const { readyTimeoutMs = 30_000, firstPauseMs = 100 } = options;
  const stopping = new AbortController();
  const running = new Map<string, RunningChild>();

  async function start(spec: ChildSpec): Promise<void> {
    const child = startChild(spec);
    running.set(spec.name, child);
    await child.ready(readyTimeoutMs);
    void keepRunning(spec, child);
  }

  async function keepRunning(spec: ChildSpec, first: RunningChild): Promise<void> {
    let child = first;
    let pauseMs = firstPauseMs;
    while (true) {
      const startedAt = performance.now();
      const ending = await child.exited;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > healthyAfterMs) pauseMs = firstPauseMs;
      log.error("process.exited", { process: spec.name, ...ending, restartInMs: pauseMs });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      child = startChild(spec);
      running.set(spec.name, child);
    }
  }

  return {
    start,
    async stop(order) {
      stopping.abort();
      const rest = [...running.keys()].filter((name) => !order.includes(name));
      for (const name of [...order, ...rest]) await running.get(name)?.stop();
    },
    kill() {
      stopping.abort();
      for (const child of running.values()) child.kill();
    },
  };
}
