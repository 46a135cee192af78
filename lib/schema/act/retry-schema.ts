import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { isObjectValue } from "#lib/schema/field/common.ts";
import { defaultRetryPolicy } from "./retry-policy.ts";

const retryOn = z.union(
  [z.enum(["connection", "timeout", "5xx", "unsuccessful"]), z.int().min(400).max(599)],
  {
    error: 'must be "connection", "timeout", "5xx", "unsuccessful", or a status from 400 to 599',
  },
);

const dayMs = 86_400_000;

const schedule = {
  /** The number of attempts, including the first. 1 means no retries. */
  maxAttempts: z
    .int()
    .min(1, "must be at least 1")
    .max(20, "must be at most 20")
    .default(defaultRetryPolicy.maxAttempts),
  initialDelayMs: z
    .int()
    .min(100, "must be at least 100")
    .max(dayMs, "must be at most a day")
    .default(defaultRetryPolicy.initialDelayMs),
  maxDelayMs: z
    .int()
    .min(100, "must be at least 100")
    .max(dayMs, "must be at most a day")
    .default(defaultRetryPolicy.maxDelayMs),
};

/** The retry policy of an action. */
export const retrySchema = z
  .strictObject({
    ...schedule,
    on: z
      .array(retryOn)
      .max(50, "at most 50 entries")
      .default([...defaultRetryPolicy.on]),
    giveUpAfterSeconds: z
      .int()
      .min(1, "must be at least 1")
      .max(30 * 86_400, "must be at most 2592000 (30 days)")
      .nullable()
      .default(null),
  })
  .refine(...hasRisingDelays())
  .meta({ id: "RetryPolicy" });

/** Like `retrySchema` without `on`: a subscription retries everything but 2xx and 410. */
export const retryScheduleSchema = z
  .strictObject(schedule)
  .refine(...hasRisingDelays())
  .meta({ id: "RetrySchedule" });
export type RetrySchedule = z.output<typeof retryScheduleSchema>;

function hasRisingDelays() {
  // Not `<=`: if one of them isn't a number, another check reports that.
  const check = (value: { readonly initialDelayMs: number; readonly maxDelayMs: number }) =>
    !(value.initialDelayMs > value.maxDelayMs);
  const rule = {
    path: ["maxDelayMs"],
    ...brokenRule("out_of_range", "must not be less than initialDelayMs"),
    when: isObjectValue,
  };
  return [check, rule] as const;
}
