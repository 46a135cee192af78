/**
 * One request to stop may arrive several times: the terminal signals the whole foreground group,
 * and npm passes its own signal on as well. Only a signal more than a second later is a second
 * request, to stop at once.
 */
const repeatWindowMs = 1_000;

/**
 * The returned signal is aborted at the first SIGINT, SIGTERM, or SIGHUP. `onSecondSignal` runs at
 * the second request.
 */
export function listenForStop(onSecondSignal: () => void): AbortSignal {
  const stop = new AbortController();
  let firstAt: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        stop.abort();
        return;
      }
      if (performance.now() - firstAt > repeatWindowMs) onSecondSignal();
    });
  }
  return stop.signal;
}
