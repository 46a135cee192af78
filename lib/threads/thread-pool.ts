import { ExpectedTime } from "./expected-time.ts";
import { FairQueue, type JobOwner } from "./fair-queue.ts";
import { closed, type Job, PoolThread } from "./pool-thread.ts";
import type { TaskInput, TaskOutput, Tasks } from "./serve-tasks.ts";
import type { ThreadOutcome } from "./thread-outcome.ts";

type ThreadPoolOptions = {
  /** A file that calls `serveTasks`. */
  readonly script: URL;
  readonly maxThreads?: number;
  /** Memory limit of long-lived objects, per thread. */
  readonly memoryMb?: number;
  /** An idle thread ends after this time. */
  readonly idleMs?: number;
};

export type RunOptions = JobOwner & {
  /**
   * The limits by phase, from its start. A task starts with `run`. On a busy machine a thread gets
   * this much processor time, and up to four times as much by the clock, or four seconds.
   */
  readonly limitsMs: Readonly<Record<string, number>>;
  /** Default: unlimited. */
  readonly maxWaitMs?: number;
  /**
   * Aborted when the result isn't needed. Work that hasn't started then never starts, and rejects.
   */
  readonly signal?: AbortSignal;
};

/** The part of a pool that callers need. */
export type Threads<Table extends Tasks> = Pick<ThreadPool<Table>, "run">;

/** More processor time than this is slow. Ordinary transforms and mappings take a tenth of it. */
const slowMs = 50;

type PoolJob = Job & {
  readonly owner: JobOwner;
  /** The expected time from the start of the job. */
  expectedMs: number;
};

/**
 * Runs work that untrusted input can make expensive in threads that can be stopped, with a deadline
 * and a memory limit. A thread that exceeds either is ended and replaced. Threads start on demand
 * and end when idle. Accounts take turns by the processor time that they use, and so do the actions
 * of an account. Work that is probably slow leaves one thread for work that isn't.
 */
export class ThreadPool<Table extends Tasks> {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #threads = new Set<PoolThread>();
  readonly #queue = new FairQueue<PoolJob>();
  readonly #expected = new ExpectedTime();
  #slowJobs = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = { maxThreads: 2, memoryMb: 512, idleMs: 10_000, ...options };
  }

  run<Name extends keyof Table & string>(
    task: Name,
    input: TaskInput<Table, Name>,
    options: RunOptions,
  ): Promise<ThreadOutcome<TaskOutput<Table, Name>>> {
    return new Promise((resolve, reject) => {
      const { accountId, actionId, limitsMs, signal } = options;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const job: PoolJob = {
        message: { task, input },
        limitsMs,
        resolve: (outcome) => resolve(outcome as ThreadOutcome<TaskOutput<Table, Name>>),
        reject,
        onEnd: (usedMs) => this.#onEnd(job, usedMs),
        owner: { accountId, actionId },
        expectedMs: 0,
      };
      this.#queue.add(job);
      this.#startNext();
      this.#giveUpAfter(job, options);
    });
  }

  /** The same threads, for work of one action that may become unnecessary. */
  of(work: { readonly actionId: string; readonly signal: AbortSignal }): Threads<Table> {
    return { run: (task, input, options) => this.run(task, input, { ...options, ...work }) };
  }

  #giveUpAfter(job: PoolJob, { maxWaitMs, signal }: RunOptions): void {
    const giveUp = (end: () => void) => () => {
      if (this.#queue.remove(job)) end();
    };
    const onAbort = giveUp(() => job.reject(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });
    if (maxWaitMs !== undefined)
      setTimeout(
        giveUp(() => job.resolve({ kind: "too_busy" })),
        maxWaitMs,
      );
  }

  /** The number of jobs that haven't started. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** All threads, busy or idle. */
  get size(): number {
    return this.#threads.size;
  }

  /** Ends all threads. Unfinished work is rejected. */
  async close(): Promise<void> {
    for (const job of this.#queue.all()) if (this.#queue.remove(job)) job.reject(closed());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #startNext(): void {
    for (;;) {
      const free = [...this.#threads].find(({ isFree }) => isFree);
      if (free === undefined && this.#threads.size >= this.#options.maxThreads) return;
      const job = this.#queue.take((next) => this.#mayStart(next));
      if (job === undefined) return;
      job.expectedMs = this.#expected.of(job.owner);
      if (job.expectedMs > slowMs) this.#slowJobs += 1;
      this.#queue.charge(job.owner, job.expectedMs);
      (free ?? this.#openThread()).start(job);
    }
  }

  /** A single thread takes all work. */
  #mayStart({ owner }: PoolJob): boolean {
    return (
      this.#expected.of(owner) <= slowMs ||
      this.#slowJobs < Math.max(1, this.#options.maxThreads - 1)
    );
  }

  #onEnd(job: PoolJob, usedMs: number): void {
    if (job.expectedMs > slowMs) this.#slowJobs -= 1;
    this.#queue.charge(job.owner, usedMs - job.expectedMs);
    this.#expected.learn(job.owner, usedMs);
  }

  #openThread(): PoolThread {
    const { maxThreads: _, ...options } = this.#options;
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
}
