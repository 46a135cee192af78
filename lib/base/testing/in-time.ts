import { setTimeout as delay } from "node:timers/promises";

/**
 * Whether `work` is done before a timer of `limitMs` and `control`, a request that takes no time of
 * its own. A busy machine delays both as much, so this holds on any machine.
 */
export async function isInTime(
  work: Promise<unknown>,
  limitMs: number,
  control: () => Promise<unknown>,
): Promise<boolean> {
  const stop = new AbortController();
  const { signal } = stop;
  const limit = delay(limitMs, undefined, { signal }).then(control, () => {});
  const first = await Promise.race([work.then(() => true), limit.then(() => false)]);
  stop.abort();
  return first;
}
