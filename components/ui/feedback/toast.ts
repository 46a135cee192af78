import type { Tone } from "#components/ui/badge.tsx";
import type { CommandResult } from "#lib/schema/command-result.ts";

export type Toast = {
  readonly id: number;
  readonly message: string;
  readonly tone: Tone;
  /** Takes back what was just done. */
  readonly undo?: (() => Promise<CommandResult<unknown>>) | undefined;
};

export type Toasts = { readonly toasts: readonly Toast[]; readonly announcement: string };

/**
 * Says that something was done, at the edge of the page, for a few seconds; it is read out too. With `undo` there is a
 * button that takes it back, and more time for it. For what a person has to act on use a `Notice` in its place instead.
 */
export function toast(message: string, options: { tone?: Tone; undo?: Toast["undo"] } = {}): void {
  lastId += 1;
  const next = { id: lastId, message, tone: options.tone ?? "neutral", undo: options.undo };
  // Shows at most three at a time.
  set({ ...state, toasts: [...state.toasts.slice(-2), next] });
}

/** Reads out what a sighted person sees happen anyway: "12 new deliveries". */
export function announce(message: string): void {
  // The same words twice are a change only if something differs.
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
