import { setTimeout as delay } from "node:timers/promises";

/**
 * A job that deletes many rows rests for as long as it works, so that deliveries get their turn. False:
 * it has to stop.
 */
export function restAfterBatch(signal: AbortSignal): (tookMs: number) => Promise<boolean> {
  return async (tookMs) => {
    await delay(tookMs, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  };
}
