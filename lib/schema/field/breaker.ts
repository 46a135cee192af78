import { z } from "zod";

/**
 * Stops calls to a receiver that is down. Sets the number of failures in the window, and the pause.
 */
export const breakerSchema = z
  .strictObject({
    failures: z.int().min(1, "must be at least 1").max(100, "must be at most 100").default(5),
    windowSeconds: z
      .int()
      .min(1, "must be at least 1")
      .max(3_600, "must be at most 3600 (an hour)")
      .default(60),
    openSeconds: z
      .int()
      .min(1, "must be at least 1")
      .max(86_400, "must be at most 86400 (a day)")
      .default(60),
  })
  .meta({ id: "Breaker" });
export type Breaker = z.output<typeof breakerSchema>;

/** The breaker in the three columns of a row. */
export function toBreaker(row: {
  readonly breaker_failures: number | null;
  readonly breaker_window_seconds: number | null;
  readonly breaker_open_seconds: number | null;
}): Breaker | null {
  const { breaker_failures: failures } = row;
  const { breaker_window_seconds: windowSeconds, breaker_open_seconds: openSeconds } = row;
  if (failures === null || windowSeconds === null || openSeconds === null) return null;
  return { failures, windowSeconds, openSeconds };
}

/** The current state of a target's breaker. */
export type BreakerState =
  | { readonly state: "closed" }
  /**
   * The action's own code was too slow repeatedly. The hold ends when the action changes or a
   * person releases it.
   */
  | { readonly state: "held"; readonly heldSince: Date; readonly reason: string }
  /** Open: no call is made until the next try. */
  | { readonly state: "open"; readonly downSince: Date; readonly nextTryAt: Date }
  /** One run may start, and its result decides. */
  | { readonly state: "probing"; readonly downSince: Date; readonly nextTryAt: Date }
  /**
   * The receiver responds again. The number of calls at the same time doubles with each success.
   */
  | { readonly state: "recovering"; readonly downSince: Date; readonly concurrency: number };
