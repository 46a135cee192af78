import type { Job } from "../job.ts";

/** One batch. @returns whether there was work */
export function workOnce(job: Job): Promise<boolean> {
  return job.work(new AbortController().signal);
}

/** Until nothing is left to do. */
export async function workAll(...jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) while (await workOnce(job));
}
