import { setTimeout as delay } from "node:timers/promises";

/**
 * Repeats a check until it returns something other than undefined. After `timeoutMs` it throws an
 * error that names what it waited for.
 */
export async function waitUntil<T>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
  pauseMs = 25,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (true) {
    const response = await ask();
    if (response !== undefined) return response;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await delay(pauseMs);
  }
}
