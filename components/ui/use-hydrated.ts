"use client";

import { useSyncExternalStore } from "react";

/** False until hydration: anything typed before would be visible in the field and then lost. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => {};
