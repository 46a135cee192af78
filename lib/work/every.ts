import { setTimeout as delay } from "node:timers/promises";

/**
 * Does something over and over, with a pause between one time and the next, until the signal. A failure is the database's: it is told
 * to `onFailure` and the next time comes as usual.
 */
export async function every(
  pauseMs: number,
  signal: AbortSignal,
  act: () => Promise<void>,
  onFailure: (error: unknown) => void = () => {},
): Promise<void> {
  while (!signal.aborted) {
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      await act();
    } catch (error) {
      onFailure(error);
    }
  }
}
