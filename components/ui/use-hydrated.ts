"use client";

import { useSyncExternalStore } from "react";

/** False until React has taken the page over: what is typed before that would be seen in the field and lost. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => {};
