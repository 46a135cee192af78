import { setTimeout as delay } from "node:timers/promises";

/** Asks again and again until there is an answer that is not undefined; throws, naming what it waited for, after `timeoutMs`. */
export async function waitUntil<T>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
  pauseMs = 25,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (true) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await delay(pauseMs);
  }
}
