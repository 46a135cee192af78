/** Resolves after a time, or at once when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

const firstMs = 500;
const maxMs = 30_000;

/** Full jitter: any time up to one that doubles, so that programs don't come back together. */
export function reconnectDelay(attempt: number, retryAfterSeconds: number | null): number {
  const jitterMs = Math.random() * Math.min(maxMs, firstMs * 2 ** attempt);
  // What a server asks for is the earliest time.
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000 + (Math.random() * maxMs) / 3;
  return Math.max(firstMs / 2, jitterMs);
}
