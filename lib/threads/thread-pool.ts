import { Worker } from "node:worker_threads";
import { errorCode } from "#lib/errors.ts";
import { withTimeLimit } from "#lib/with-time-limit.ts";
import type { FromThread, TaskInput, TaskOutput, Tasks, ToThread } from "./serve-tasks.ts";

/** How work in a thread ended. If a task throws, that is unexpected, and rejects. */
export type ThreadOutcome<Value> =
  | { readonly kind: "done"; readonly value: Value }
  /** The phase in which its thread was stopped. */
  | { readonly kind: "too_slow"; readonly phase: string; readonly limitMs: number }
  | { readonly kind: "too_large"; readonly limitMb: number }
  /** It didn't start within its maximum wait. */
  | { readonly kind: "too_busy" };

export type ThreadPoolOptions = {
  /** A file that calls `serveTasks`. */
  readonly script: URL;
  readonly maxThreads?: number;
  /** Memory limit of long-lived objects, per thread. */
  readonly memoryMb?: number;
  /** An idle thread ends after this time. */
  readonly idleMs?: number;
};

export type RunOptions = {
  /** The account of the work: accounts take turns. */
  readonly accountId: string;
  /**
   * By phase, from its start; a task starts with `run`. On a busy machine a thread gets this much
   * processor time, and up to four times as much by the clock.
   */
  readonly limitsMs: Readonly<Record<string, number>>;
  /** Default: unlimited. */
  readonly maxWaitMs?: number;
};

/**
 * Runs work that untrusted input can make expensive in threads that can be stopped, with a deadline
 * and a memory limit. A thread that exceeds either is ended and replaced. Threads start on demand
 * and end when idle.
 */
export class ThreadPool<Table extends Tasks> {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #threads = new Set<PoolThread>();
  /** In turn order. */
  readonly #waiting = new Map<string, Job[]>();

  constructor(options: ThreadPoolOptions) {
    this.#options = { maxThreads: 2, memoryMb: 512, idleMs: 10_000, ...options };
  }

  run<Name extends keyof Table & string>(
    task: Name,
    input: TaskInput<Table, Name>,
    options: RunOptions,
  ): Promise<ThreadOutcome<TaskOutput<Table, Name>>> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        message: { task, input },
        limitsMs: options.limitsMs,
        resolve: (outcome) => resolve(outcome as ThreadOutcome<TaskOutput<Table, Name>>),
        reject,
      };
      const ofAccount = this.#waiting.get(options.accountId);
      if (ofAccount === undefined) this.#waiting.set(options.accountId, [job]);
      else ofAccount.push(job);
      this.#startNext();
      this.#giveUpAfter(job, options);
    });
  }

  #giveUpAfter(job: Job, { accountId, maxWaitMs }: RunOptions): void {
    const isWaiting = () => this.#waiting.get(accountId)?.includes(job) === true;
    if (maxWaitMs === undefined || !isWaiting()) return;
    setTimeout(() => {
      if (!isWaiting()) return;
      const others = (this.#waiting.get(accountId) ?? []).filter((other) => other !== job);
      if (others.length === 0) this.#waiting.delete(accountId);
      else this.#waiting.set(accountId, others);
      job.resolve({ kind: "too_busy" });
    }, maxWaitMs);
  }

  /** All threads, busy or idle. */
  get size(): number {
    return this.#threads.size;
  }

  /** Ends all threads. Unfinished work is rejected. */
  async close(): Promise<void> {
    for (const job of [...this.#waiting.values()].flat()) job.reject(closed());
    this.#waiting.clear();
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #startNext(): void {
    while (this.#waiting.size > 0) {
      const thread = [...this.#threads].find(({ isFree }) => isFree) ?? this.#openThread();
      if (thread === undefined) return;
      const job = this.#takeTurn();
      if (job !== undefined) thread.start(job);
    }
  }

  #openThread(): PoolThread | undefined {
    const { maxThreads, ...options } = this.#options;
    if (this.#threads.size >= maxThreads) return undefined;
    const thread = new PoolThread({
      ...options,
      onFree: () => this.#startNext(),
      onGone: () => {
        this.#threads.delete(thread);
        this.#startNext();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  /** The next job of the account whose turn it is, which then goes to the back. */
  #takeTurn(): Job | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    const [accountId, jobs] = next;
    const job = jobs.shift();
    this.#waiting.delete(accountId);
    if (jobs.length > 0) this.#waiting.set(accountId, jobs);
    return job;
  }
}

type Job = {
  readonly message: ToThread;
  readonly limitsMs: Readonly<Record<string, number>>;
  readonly resolve: (outcome: ThreadOutcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

type PoolThreadOptions = Required<Omit<ThreadPoolOptions, "maxThreads">> & {
  readonly onFree: () => void;
  /** It takes no more work, but may need a moment to end. */
  readonly onGone: () => void;
};

/** By the clock, as a multiple of the thread's processor time. */
const maxStretch = 4;

function closed(): Error {
  return new Error("The threads were closed.");
}

/** For loading its code. A machine that needs longer couldn't do the work either. */
const startLimitMs = 20_000;

type WatchedPhase = {
  readonly phase: string;
  readonly limitMs: number;
  /** The thread's processor time at its start. */
  readonly usedMs: number;
};

class PoolThread {
  readonly #options: PoolThreadOptions;
  readonly #worker: Worker;
  #job: Job | null = null;
  #phase: WatchedPhase | null = null;
  #timer: NodeJS.Timeout | undefined;
  #hasWorked = false;
  #isGone = false;

  constructor(options: PoolThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      // It works on untrusted input and needs no secrets from the environment, only the compile
      // cache's location.
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
    clearTimeout(this.#timer);
    this.#worker.ref();
    // A new thread that gets little processor time has more time by the clock.
    const usedMs = this.#hasWorked ? Number.NEGATIVE_INFINITY : 0;
    this.#watch({ phase: "start", limitMs: startLimitMs, usedMs });
    try {
      this.#worker.postMessage(job.message);
    } catch (error) {
      // The input can't be copied: our bug, and the thread is still fine.
      this.#finish(() => job.reject(error));
    }
  }

  async end(): Promise<void> {
    this.#leave(closed());
    await this.#worker.terminate();
  }

  #watch(phase: WatchedPhase): void {
    clearTimeout(this.#timer);
    const endsAt = performance.now() + phase.limitMs * maxStretch;
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
   * Processor time of the thread. A thread that waits for the processor, or is in a native call,
   * answers later. At worst it is skipped.
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
        this.#watch({ ...message, limitMs: job.limitsMs[message.phase] ?? startLimitMs });
        return;
      case "done":
        this.#finish(() => job.resolve({ kind: "done", value: message.value }));
        return;
      case "failed":
        this.#finish(() => job.reject(message.error));
        return;
      default:
        message satisfies never;
    }
  }

  #finish(settle: () => void): void {
    clearTimeout(this.#timer);
    this.#hasWorked = true;
    this.#job = null;
    this.#phase = null;
    this.#worker.unref();
    this.#timer = setTimeout(() => this.#stop(null), this.#options.idleMs).unref();
    settle();
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
    this.#job?.reject(error);
    this.#job = null;
    this.#phase = null;
    this.#options.onGone();
  }
}
