import { setTimeout as delay } from "node:timers/promises";
import { log } from "#lib/log.ts";
import {
  type ChildQuestion,
  type ChildRequests,
  type ChildSpec,
  type RunningChild,
  startChild,
} from "./child-process.ts";

export type SupervisorOptions = {
  /** The time limit for the first start of a child. */
  readonly readyTimeoutMs?: number;
  /**
   * The pause before a crashed child is restarted. Doubles up to `maxPauseMs` while it keeps
   * crashing.
   */
  readonly firstPauseMs?: number;
  /** Reads the metrics of all processes, for one that shows them. Default: there are none. */
  readonly readMetrics?: ChildRequests["onWanted"];
};

export type Supervisor = {
  /** Starts one child and waits until it is ready. From then on it is restarted when it ends. */
  start(spec: ChildSpec): Promise<void>;
  /** Asks every child. Undefined: it has no answer in time, or is down or asleep. */
  ask(question: ChildQuestion): Promise<ReadonlyMap<string, unknown>>;
  /** How often each child was started. */
  readonly starts: ReadonlyMap<string, number>;
  isAsleep(name: string): boolean;
  /** Starts the child of this name if it is asleep. */
  wake(name: string): void;
  /** Drains the children in the given order of names, several at once. Others come last. */
  stop(order: readonly (string | readonly string[])[]): Promise<void>;
  /** Kills every child at once. */
  kill(): void;
};

const maxPauseMs = 5_000;
/** Shorter than the time that Prometheus and load balancers wait. */
const answerTimeoutMs = 3_000;
const healthyAfterMs = 30_000;

/**
 * Keeps the processes running. A child that can't be started the first time fails the start. One
 * that crashes later is restarted: what was acknowledged is in the database, and providers send the
 * rest again.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const { readyTimeoutMs = 30_000, firstPauseMs = 100 } = options;
  const onWanted = options.readMetrics ?? (async () => null);
  const stopping = new AbortController();
  const running = new Map<string, RunningChild>();
  const starts = new Map<string, number>();
  const alarms = new Map<string, () => void>();
  stopping.signal.addEventListener("abort", () => {
    for (const wakeUp of alarms.values()) wakeUp();
  });

  function launch(spec: ChildSpec): RunningChild {
    const child = startChild(spec, { onWake: wake, onWanted });
    starts.set(spec.name, (starts.get(spec.name) ?? 0) + 1);
    running.set(spec.name, child);
    return child;
  }

  async function start(spec: ChildSpec): Promise<void> {
    const child = launch(spec);
    await child.ready(readyTimeoutMs);
    void keepRunning(spec, child);
  }

  function wake(name: string): void {
    alarms.get(name)?.();
  }

  async function ask(question: ChildQuestion): Promise<ReadonlyMap<string, unknown>> {
    const answers = [...running].map(
      async ([name, child]) => [name, await child.ask(question, answerTimeoutMs)] as const,
    );
    return new Map(await Promise.all(answers));
  }

  /** Settles when a wake-up has been requested since the call. */
  async function woken(name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    alarms.set(name, resolve);
    await promise;
    alarms.delete(name);
  }

  async function keepRunning(spec: ChildSpec, first: RunningChild): Promise<void> {
    let child = first;
    let pauseMs = firstPauseMs;
    while (true) {
      const startedAt = performance.now();
      const ending = await child.exited;
      if (stopping.signal.aborted) return;
      if (child.isGoingToSleep) {
        log.info("process.asleep", { process: spec.name });
        await woken(spec.name);
        if (stopping.signal.aborted) return;
        log.info("process.woken", { process: spec.name });
        child = launch(spec);
        continue;
      }
      if (performance.now() - startedAt > healthyAfterMs) pauseMs = firstPauseMs;
      log.error("process.exited", { process: spec.name, ...ending, restartInMs: pauseMs });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      child = launch(spec);
    }
  }

  return {
    start,
    starts,
    ask,
    isAsleep: (name) => running.get(name)?.isGoingToSleep === true,
    wake,
    async stop(order) {
      stopping.abort();
      const known = order.flat();
      const rest = [...running.keys()].filter((name) => !known.includes(name));
      for (const names of [...order, ...rest])
        await Promise.all([names].flat().map((name) => running.get(name)?.stop()));
    },
    kill() {
      stopping.abort();
      for (const child of running.values()) child.kill();
    },
  };
}
