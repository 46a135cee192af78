import { Worker } from "node:worker_threads";
import { errorCode } from "#lib/base/errors.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { FromThread, ToThread } from "./serve-tasks.ts";
import type { ThreadOutcome } from "./thread-outcome.ts";

/** Work for a thread. */
export type Job = {
  readonly message: ToThread;
  readonly limitsMs: Readonly<Record<string, number>>;
  readonly resolve: (outcome: ThreadOutcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
  /** Receives the job's processor time. */
  readonly onEnd: (usedMs: number) => void;
};

type PoolThreadOptions = {
  /** A file that calls `serveTasks`. */
  readonly script: URL;
  /** Memory limit of long-lived objects, per thread. */
  readonly memoryMb: number;
  /** An idle thread ends after this time. */
  readonly idleMs: number;
  readonly onFree: () => void;
  /** The thread takes no more work, but may need a moment to end. */
  readonly onGone: () => void;
};

/** The limit by the clock, as a multiple of the thread's processor time. */
const maxStretch = 4;
/**
 * The minimum by the clock. A thread with a short limit may wait as long for the processor as any
 * other.
 */
const minClockMs = 4_000;

export function closed(): Error {
  return new Error("The threads were closed.");
}

/** The limit for loading its code. A machine that needs longer couldn't do the work either. */
const startLimitMs = 20_000;

/** The processor time that a new thread needs until it can work. */
const replaceMs = 200;

type WatchedPhase = {
  readonly phase: string;
  readonly limitMs: number;
  /** The thread's processor time at its start. */
  readonly usedMs: number;
};

/** One thread of a pool. It ends if its work takes too long. */
export class PoolThread {
  readonly #options: PoolThreadOptions;
  readonly #worker: Worker;
  #job: Job | null = null;
  #phase: WatchedPhase | null = null;
  #timer: NodeJS.Timeout | undefined;
  #hasWorked = false;
  /** The time when the job started. */
  #startedAtMs = 0;
  /** The thread's processor time at the start of the job. Null: not reported yet. */
  #usedBeforeMs: number | null = null;
  #isGone = false;

  constructor(options: PoolThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      // The thread works on untrusted input and needs no secrets from the environment, only the
      // compile cache's location.
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => name === "NODE_COMPILE_CACHE"),
      ),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.on("message", (message: FromThread) => this.#onMessage(message));
    this.#worker.on("error", (error) => this.#onError(error));
    this.#worker.on("exit", () => this.#leave(new Error("A thread ended by itself.")));
  }

  get isFree(): boolean {
    return this.#job === null && !this.#isGone;
  }

  start(job: Job): void {
    this.#job = job;
    this.#startedAtMs = performance.now();
    this.#usedBeforeMs = null;
    clearTimeout(this.#timer);
    this.#worker.ref();
    // A new thread that gets little processor time has more time by the clock.
    const usedMs = this.#hasWorked ? Number.NEGATIVE_INFINITY : 0;
    this.#watch({ phase: "start", limitMs: startLimitMs, usedMs });
    try {
      this.#worker.postMessage(job.message);
    } catch (error) {
      // The input can't be copied: our bug, and the thread is still fine.
      this.#finish(() => job.reject(error), 0);
    }
  }

  async end(): Promise<void> {
    this.#leave(closed());
    await this.#worker.terminate();
  }

  #watch(phase: WatchedPhase): void {
    clearTimeout(this.#timer);
    const endsAt = performance.now() + Math.max(phase.limitMs * maxStretch, minClockMs);
    const check = async (): Promise<void> => {
      const usedMs = (await this.#readUsedMs(endsAt - performance.now())) - phase.usedMs;
      const leftMs = Math.min(phase.limitMs - usedMs, endsAt - performance.now());
      // The job may have ended meanwhile.
      if (this.#phase !== phase) return;
      if (leftMs > 1) this.#timer = setTimeout(check, leftMs);
      else this.#stop({ kind: "too_slow", phase: phase.phase, limitMs: phase.limitMs });
    };
    this.#phase = phase;
    this.#timer = setTimeout(check, phase.limitMs);
  }

  /**
   * The processor time of the thread. A thread that waits for the processor, or is in a native
   * call, responds later. At worst, one check is skipped.
   */
  #readUsedMs(waitMs: number): Promise<number> {
    const usedMs = this.#worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1_000,
      () => Number.POSITIVE_INFINITY,
    );
    return withTimeLimit(usedMs, Math.max(0, waitMs), () => Number.POSITIVE_INFINITY);
  }

  #onMessage(message: FromThread): void {
    const job = this.#job;
    if (job === null) return;
    switch (message.kind) {
      case "phase":
        this.#usedBeforeMs ??= message.usedMs;
        this.#watch({ ...message, limitMs: job.limitsMs[message.phase] ?? startLimitMs });
        return;
      case "done":
        this.#finish(() => job.resolve({ kind: "done", value: message.value }), message.usedMs);
        return;
      case "failed":
        this.#finish(() => job.reject(message.error), message.usedMs);
        return;
      default:
        message satisfies never;
    }
  }

  #finish(end: () => void, usedMs: number): void {
    clearTimeout(this.#timer);
    this.#job?.onEnd(Math.max(0, usedMs - (this.#usedBeforeMs ?? usedMs)));
    this.#hasWorked = true;
    this.#job = null;
    this.#phase = null;
    this.#worker.unref();
    this.#timer = setTimeout(() => this.#stop(null), this.#options.idleMs).unref();
    end();
    this.#options.onFree();
  }

  #onError(error: unknown): void {
    if (errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY")
      this.#job?.resolve({ kind: "too_large", limitMb: this.#options.memoryMb });
    this.#leave(error);
  }

  #stop(outcome: ThreadOutcome<never> | null): void {
    if (outcome !== null) this.#job?.resolve(outcome);
    // Not awaited: a call into the engine (`JSON.parse` of megabytes) can't be interrupted, and
    // another thread can start meanwhile.
    void this.#worker.terminate();
    this.#leave(new Error("The thread was stopped."));
  }

  /** `error` is for a job that hasn't settled. */
  #leave(error: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#timer);
    // The thread can no longer report its time. A new thread has to load its code, which counts
    // too.
    this.#job?.onEnd(performance.now() - this.#startedAtMs + replaceMs);
    this.#job?.reject(error);
    this.#job = null;
    this.#phase = null;
    this.#options.onGone();
  }
}
