/** The outcome of work in a thread. If a task throws, that is unexpected, and rejects. */
export type ThreadOutcome<Value> =
  | { readonly kind: "done"; readonly value: Value }
  /** The phase in which its thread was stopped. */
  | { readonly kind: "too_slow"; readonly phase: string; readonly limitMs: number }
  | { readonly kind: "too_large"; readonly limitMb: number }
  /** The work didn't start within its maximum wait. */
  | { readonly kind: "too_busy" };

/**
 * True if no thread was free, or a new one was slow to start, which says nothing about the input.
 */
export function isBusy(outcome: ThreadOutcome<unknown>): boolean {
  return outcome.kind === "too_busy" || (outcome.kind === "too_slow" && outcome.phase === "start");
}
