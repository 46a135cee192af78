"use client";

import { useSyncExternalStore } from "react";

/**
 * The browser's clock every ten seconds, and the server's until hydration. A page has one timer.
 */
export function useClock(serverNowMs: number): number {
  return useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => serverNowMs,
  );
}

const everyMs = 10_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // On a page that is opened later, the stored time is old.
    nowMs = Date.now();
    timer = setInterval(tick, everyMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
