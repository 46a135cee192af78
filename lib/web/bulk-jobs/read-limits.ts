import type { JobLimits } from "#lib/schema/bulk-job.ts";

type LimitTexts = {
  readonly ratePerMinute: string;
  readonly stopAfterFailures: string;
  readonly trial: boolean;
};

/** Reads the limits that a form sends for a job. The schema rejects what isn't a number. */
export function readLimits({ ratePerMinute, stopAfterFailures, trial }: LimitTexts): JobLimits {
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
