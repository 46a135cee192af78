import type { Job } from "../job.ts";

/** Runs one batch. @returns true if there was work */
export function workOnce(job: Job): Promise<boolean> {
  return job.work(new AbortController().signal);
}

/** Runs batches until no work is left. */
export async function workAll(...jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) while (await workOnce(job));
}
