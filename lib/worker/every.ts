import { setTimeout as delay } from "node:timers/promises";

/**
 * Repeats a task with a pause in between, until the signal. A failure is passed to `onFailure`, and
 * the task runs again as usual.
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
