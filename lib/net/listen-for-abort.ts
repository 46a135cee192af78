/**
 * All calls of a worker share one signal. A signal compares a new listener with all others, so each
 * signal gets one listener, however many calls there are.
 */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when the signal is aborted, or now if it already is. */
export function listenForAbort(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) {
    callback();
    return;
  }
  const known = callbacks.get(signal);
  if (known !== undefined) {
    known.add(callback);
    return;
  }
  const added = new Set([callback]);
  callbacks.set(signal, added);
  signal.addEventListener("abort", () => added.forEach((one) => void one()), { once: true });
}

export function stopListening(signal: AbortSignal, callback: () => void): void {
  callbacks.get(signal)?.delete(callback);
}
