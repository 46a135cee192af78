import { z } from "zod";

/** A number of calls in a number of seconds, over all workers. */
export const rateLimitSchema = z
  .strictObject({
    count: z
      .int()
      .min(1, "must be at least 1")
      .max(100_000, "must be at most 100000")
      .describe("How many calls may start in `perSeconds`"),
    perSeconds: z
      .int()
      .min(1, "must be at least 1")
      .max(86_400, "must be at most 86400 (a day)")
      .describe("The time in seconds for `count` calls"),
  })
  .meta({ id: "RateLimit" });
export type RateLimit = z.output<typeof rateLimitSchema>;

/** The rate limit in the two columns of a row. */
export function toRateLimit(row: {
  readonly rate_count: number | null;
  readonly rate_seconds: number | null;
}): RateLimit | null {
  const { rate_count: count, rate_seconds: perSeconds } = row;
  return count === null || perSeconds === null ? null : { count, perSeconds };
}
