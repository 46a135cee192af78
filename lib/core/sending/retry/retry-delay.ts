import type { RetryPolicy } from "#lib/schema/act/retry-policy.ts";

type DelayInput = {
  /** The attempt that just ended, counted from 1. */
  readonly attemptNumber: number;
  readonly policy: Pick<RetryPolicy, "initialDelayMs" | "maxDelayMs">;
  readonly retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  readonly random: number;
};

/**
 * Milliseconds until the next attempt: the scheduled wait ±20%, or Retry-After (at most 24 h) if
 * that is longer, with some jitter so that many runs don't return in the same second.
 */
export function nextDelayMs({ attemptNumber, policy, retryAfterMs, random }: DelayInput): number {
  const waitMs = scheduledWaitMs(attemptNumber, policy);
  const jitteredMs = Math.round(waitMs * (1 - jitter + 2 * jitter * random));
  if (retryAfterMs === null) return jitteredMs;
  const floorMs = Math.min(Math.max(0, Math.ceil(retryAfterMs)), maxRetryAfterMs);
  if (jitteredMs >= floorMs) return jitteredMs;
  return Math.min(
    maxRetryAfterMs,
    floorMs + Math.round(Math.min(waitMs, floorMs) * jitter * random),
  );
}

/**
 * The scheduled wait without jitter. All policies share one curve: the default waits relative to
 * the first (5 s), scaled to `initialDelayMs` and capped at `maxDelayMs`. For example, 1 s and 60 s
 * give 1 s, 6 s, 24 s, 60 s, 60 s, … After the ninth wait, the last one repeats.
 */
export function scheduledWaitMs(attemptNumber: number, policy: DelayInput["policy"]): number {
  const step = Math.min(Math.max(1, attemptNumber), growth.length) - 1;
  return Math.min(policy.initialDelayMs * (growth[step] ?? 1), policy.maxDelayMs);
}

const growth = [1, 6, 24, 120, 360, 1_440, 3_600, 7_200, 7_200] as const;
const jitter = 0.2;
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;
