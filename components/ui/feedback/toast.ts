import type { Tone } from "#components/ui/status/badge.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type Toast = {
  readonly id: number;
  readonly message: string;
  readonly tone: Tone;
  /** Undoes the change. */
  readonly undo?: (() => Promise<CommandResult<unknown>>) | undefined;
};

export type Toasts = { readonly toasts: readonly Toast[]; readonly announcement: string };

/**
 * Confirms a change at the edge of the page for a few seconds, also to screen readers. With `undo`
 * it has a button and stays longer. If the user has to act, use a `Notice` in place instead.
 */
export function toast(message: string, options: { tone?: Tone; undo?: Toast["undo"] } = {}): void {
  lastId += 1;
  const next = { id: lastId, message, tone: options.tone ?? "neutral", undo: options.undo };
  // At most three are shown at a time.
  set({ ...state, toasts: [...state.toasts.slice(-2), next] });
}

/** Tells screen readers about a visible change: "12 new deliveries". */
export function announce(message: string): void {
  // A repeated text is only read out if something differs.
  set({ ...state, announcement: state.announcement === message ? `${message}\u00a0` : message });
}

export function dismissToast(id: number): void {
  set({ ...state, toasts: state.toasts.filter((one) => one.id !== id) });
}

export function readToasts(): Toasts {
  return state;
}

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let lastId = 0;
let state: Toasts = { toasts: [], announcement: "" };
const listeners = new Set<() => void>();

function set(next: Toasts): void {
  state = next;
  for (const listener of listeners) listener();
}
