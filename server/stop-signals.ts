/**
 * One wish to stop may arrive several times: the terminal signals the whole foreground group, and npm passes its own
 * signal on as well. Only a signal that comes more than a second later is a second wish: to stop at once.
 */
const sameWishMs = 1_000;

/** The returned signal is aborted at the first SIGINT, SIGTERM or SIGHUP; `onImpatience` runs at the second wish. */
export function listenForStop(onImpatience: () => void): AbortSignal {
  const stop = new AbortController();
  let firstAt: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        stop.abort();
        return;
      }
      if (performance.now() - firstAt > sameWishMs) onImpatience();
    });
  }
  return stop.signal;
}
