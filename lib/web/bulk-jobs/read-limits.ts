import { z } from "zod";
import type { JobLimits } from "#lib/schema/act/bulk-job.ts";

const limitTexts = z.object({
  ratePerMinute: z.string(),
  stopAfterFailures: z.string(),
  trial: z.boolean(),
});

/**
 * Reads the limits that a form sends for a job, whatever it is. The schema of the job rejects what
 * isn't a number.
 */
export function readLimits(given: z.input<typeof limitTexts>): JobLimits {
  const limits = limitTexts.safeParse(given);
  if (!limits.success)
    return { ratePerMinute: Number.NaN, stopAfterFailures: Number.NaN, trial: true };
  const { ratePerMinute, stopAfterFailures, trial } = limits.data;
  return {
    ratePerMinute: readNumber(ratePerMinute),
    stopAfterFailures: readNumber(stopAfterFailures),
    trial,
  };
}

/** Reads a number; empty text means no limit. */
function readNumber(given: string): number | null {
  const trimmed = given.trim();
  if (trimmed === "") return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
