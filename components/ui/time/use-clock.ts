"use client";

import { useSyncExternalStore } from "react";

/** The browser's clock every ten seconds; until hydration the server's. One timer for a page. */
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
    // A page that is opened later finds an old time here.
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
