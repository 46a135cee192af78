/** A kind of background work. `run-jobs.ts` repeats it and adds turns, a budget, and pauses. */
type JobKind<Work, Done> = {
  /** Its name in the log, and in `bulk_jobs` if its jobs have rows there. */
  readonly kind: string;
  readonly lock: Lock<Work, Done>;
  /** Does as much work as fits in one transaction, or in a fraction of a second. */
  readonly workBatch: (work: Work, signal: AbortSignal) => Promise<Done>;
};

/**
 * Calls `use` with work that no other process has meanwhile, and stores its result.
 *
 * @returns true if there was work
 */
export type Lock<Work, Done> = (use: (work: Work) => Promise<Done>) => Promise<boolean>;

export type Job = {
  readonly kind: string;
  /** Does the next batch. False: there is nothing to do now. */
  readonly work: (signal: AbortSignal) => Promise<boolean>;
};

export function defineJob<Work, Done>({ kind, lock, workBatch }: JobKind<Work, Done>): Job {
  return { kind, work: (signal) => lock((work) => workBatch(work, signal)) };
}

/**
 * No lock, for statements that two processes may run at once. The result of `workBatch` tells
 * whether there is more work.
 */
export const lockNothing: Lock<undefined, boolean> = (use) => use(undefined);

export const dayMs = 86_400_000;
