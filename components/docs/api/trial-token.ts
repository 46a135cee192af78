import { useSyncExternalStore } from "react";

/** A token to try calls with, and what it is known to be able to do. Null: someone pasted it. */
export type TrialToken = { readonly text: string; readonly scopes: readonly string[] | null };

const none: TrialToken = { text: "", scopes: null };

// In the memory of this tab, and nowhere else: it is gone once the tab is closed or reloaded.
let token = none;
const listeners = new Set<() => void>();

export function useTrialToken(): TrialToken {
  return useSyncExternalStore(subscribe, readToken, () => none);
}

export function keepTrialToken(next: TrialToken): void {
  token = next;
  for (const listener of listeners) listener();
}

function readToken(): TrialToken {
  return token;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
