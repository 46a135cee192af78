/** The limits of a bulk job. Every kind that queues runs takes them. */
import { z } from "zod";
import { trialSize } from "./run-limits.ts";

const rateError = "must be a whole number from 1 to 60000";
const stopError = "must be a whole number from 1 to 1000";

export const jobLimitFields = {
  ratePerMinute: z
    .int(rateError)
    .min(1, rateError)
    .max(60_000, rateError)
    .nullable()
    .default(null)
    .describe("How many runs to queue in a minute. Null: as many as possible"),
  stopAfterFailures: z
    .int(stopError)
    .min(1, stopError)
    .max(1_000, stopError)
    .nullable()
    .default(null)
    .describe("Pauses the job after so many failed runs. Null: never"),
  trial: z
    .boolean("must be true or false")
    .default(false)
    .describe(`Queues ${trialSize} runs first, waits for them, and pauses if any of them fails`),
};

/** The kinds of jobs. */
export const jobKind = z.enum(["retry", "cancel", "accept", "replay_missing", "replay", "take_in"]);

const limitsSchema = z.strictObject(jobLimitFields);
export type JobLimits = z.output<typeof limitsSchema>;

export const noLimits: JobLimits = { ratePerMinute: null, stopAfterFailures: null, trial: false };

/** A job and what has become of its runs so far. */
export type JobState = {
  readonly id: string;
  /** Finished: it has queued all its runs, of which `openCount` haven't ended. */
  readonly status: "running" | "paused" | "finished" | "cancelled";
  /** The number of runs or deliveries it is about. Null: too many to count. */
  readonly total: number | null;
  readonly changedCount: number;
  readonly isTrial: boolean;
  readonly pauseReason: string | null;
  /** Why its last batch failed, while it is running. Null: it didn't. */
  readonly problem: string | null;
  readonly openCount: number;
  readonly succeededCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
  readonly cancelledCount: number;
  readonly createdAt: Date;
};
