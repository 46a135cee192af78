import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import {
  type ChildQuestion,
  type ChildRequests,
  type ChildSpec,
  NotReadyError,
  type RunningChild,
  startChild,
} from "./child-process.ts";

type SupervisorOptions = {
  /**
   * The time that a child has until it is ready. One that takes longer is killed, and has twice as long at
   * the next try, up to eight times.
   */
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
  /**
   * Starts one child, and keeps it running. Waits until it is ready, at most for `readyTimeoutMs`:
   * one that takes longer is killed and started again, with more time.
   *
   * @returns false if it isn't ready yet
   * @throws if it ends before it is ready and `endsStart` is set. Otherwise it is started again
   */
  start(spec: ChildSpec, options?: { readonly endsStart?: boolean }): Promise<boolean>;
  /** Asks every child. Undefined: it has no answer in time, or is down or asleep. */
  ask(question: ChildQuestion): Promise<ReadonlyMap<string, unknown>>;
  /** How often each child was started. */
  readonly starts: ReadonlyMap<string, number>;
  isAsleep(name: string): boolean;
  /** Drains a child, and starts it again as the spec says. Calls `whileDown` in between. */
  restart(spec: ChildSpec, whileDown?: () => Promise<void>): Promise<void>;
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

const maxPatience = 8;

/**
 * Keeps the processes running. A child that crashes, or isn't ready in time, is started again, also the
 * first time: after a power cut, everything is slow, and the others can do their work meanwhile. What
 * was acknowledged is in the database, and providers send the rest again.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const { readyTimeoutMs = 30_000, firstPauseMs = 100 } = options;
  const onWanted = options.readMetrics ?? (async () => null);
  const stopping = new AbortController();
  const running = new Map<string, RunningChild>();
  const starts = new Map<string, number>();
  const alarms = new Map<string, () => void>();
  const specs = new Map<string, ChildSpec>();
  /** How much longer than `readyTimeoutMs` a child may take, after it was late. */
  const patience = new Map<string, number>();
  /** The next children of those that are being restarted. */
  const replacements = new Map<string, Promise<RunningChild>>();
  stopping.signal.addEventListener("abort", () => {
    for (const wakeUp of alarms.values()) wakeUp();
  });

  function launch(spec: ChildSpec): RunningChild {
    const child = startChild(spec, { onWake: wake, onWanted });
    starts.set(spec.name, (starts.get(spec.name) ?? 0) + 1);
    running.set(spec.name, child);
    return child;
  }

  async function start(spec: ChildSpec, { endsStart = false } = {}): Promise<boolean> {
    specs.set(spec.name, spec);
    const child = launch(spec);
    const isReady = await killUnlessReady(spec.name, child).then(
      () => true,
      (error: unknown) => {
        const isLate = error instanceof NotReadyError && error.isLate;
        if ((endsStart && !isLate) || stopping.signal.aborted) throw error;
        return false;
      },
    );
    void keepRunning(spec.name, child);
    return isReady;
  }

  async function restart(spec: ChildSpec, whileDown = async () => {}): Promise<void> {
    specs.set(spec.name, spec);
    const current = running.get(spec.name);
    if (current === undefined || current.isGoingToSleep) return await whileDown();
    const { promise, resolve } = Promise.withResolvers<RunningChild>();
    replacements.set(spec.name, promise);
    await current.stop();
    try {
      await whileDown();
    } finally {
      // It comes back whatever the others did.
      if (!stopping.signal.aborted) resolve(tryLaunch(spec) ?? current);
    }
    if (stopping.signal.aborted) return;
    log.info("process.restarted", { process: spec.name });
    await (await promise).ready(readyTimeoutMs);
  }

  /** The child that a restart makes in place of one that ended. */
  function takeReplacement(name: string): Promise<RunningChild> | undefined {
    const replacement = replacements.get(name);
    replacements.delete(name);
    return replacement;
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

  /** Without memory, for example, the system starts no process. Undefined: it is tried again. */
  function tryLaunch(spec: ChildSpec): RunningChild | undefined {
    try {
      const child = launch(spec);
      killUnlessReady(spec.name, child).catch(() => {});
      return child;
    } catch (error) {
      log.error("process.not_started", { process: spec.name, error: toError(error) });
      return undefined;
    }
  }

  /** One that hangs during its start would never end, and nothing would start it again. */
  async function killUnlessReady(name: string, child: RunningChild): Promise<void> {
    const times = patience.get(name) ?? 1;
    try {
      await child.ready(readyTimeoutMs * times);
      patience.delete(name);
    } catch (error) {
      if (stopping.signal.aborted) throw error;
      log.error("process.not_ready", { process: name, error: toError(error) });
      if (error instanceof NotReadyError && error.isLate)
        patience.set(name, Math.min(2 * times, maxPatience));
      child.kill();
      throw error;
    }
  }

  function launchAgain(name: string): RunningChild | undefined {
    const spec = specs.get(name);
    if (spec === undefined) throw new Error(`${name} was never started`);
    return tryLaunch(spec);
  }

  async function keepRunning(name: string, first: RunningChild): Promise<void> {
    let child = first;
    let pauseMs = firstPauseMs;
    while (true) {
      const startedAt = performance.now();
      const ending = await child.exited;
      if (stopping.signal.aborted) return;
      const replacement = takeReplacement(name);
      if (replacement !== undefined) {
        child = await replacement;
        continue;
      }
      if (child.isGoingToSleep) {
        log.info("process.asleep", { process: name });
        await woken(name);
        if (stopping.signal.aborted) return;
        log.info("process.woken", { process: name });
        child = launchAgain(name) ?? child;
        continue;
      }
      if (performance.now() - startedAt > healthyAfterMs) pauseMs = firstPauseMs;
      log.error("process.exited", { process: name, ...ending, restartInMs: pauseMs });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      // It may have been restarted during the pause.
      child = (await takeReplacement(name)) ?? launchAgain(name) ?? child;
    }
  }

  return {
    start,
    starts,
    ask,
    restart,
    isAsleep: (name) => running.get(name)?.isGoingToSleep === true,
    wake,
    async stop(order) {
      stopping.abort();
      // Streams of the web process go through the catch process, which ends first.
      for (const child of running.values()) child.announceStop();
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
