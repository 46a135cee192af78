import { z } from "zod";

/** Stops calls to a receiver that is down: after how many failures in the window, and for how long. */
export const breakerSchema = z.strictObject({
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
});
export type Breaker = z.output<typeof breakerSchema>;

/** From the three columns of a row. */
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
  /** Its action's own code was too slow again and again. Only a change or a person ends it. */
  | { readonly state: "held"; readonly heldSince: Date; readonly reason: string }
  /** Open: no call is made until the next try. */
  | { readonly state: "open"; readonly downSince: Date; readonly nextTryAt: Date }
  /** One run was let through, and decides. */
  | { readonly state: "probing"; readonly downSince: Date; readonly nextTryAt: Date }
  /** The receiver answers again. Calls at the same time double with each success. */
  | { readonly state: "recovering"; readonly downSince: Date; readonly concurrency: number };
