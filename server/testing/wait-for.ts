import { setTimeout as delay } from "node:timers/promises";

/** Waits until `check` returns something other than undefined or false. */
export async function waitFor<T>(what: string, check: () => T | undefined | false): Promise<T> {
  const deadline = performance.now() + 120_000;
  while (true) {
    const found = check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
    await delay(10);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
