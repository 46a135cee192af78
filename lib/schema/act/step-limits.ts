/**
 * Limits and states of steps. They have their own file, so that pages don't load the schema and its parsers.
 */

/** Steps per action, including those in `onFailure`. */
export const maxSteps = 20;
/** Items per step with `forEach`. */
export const maxStepItems = 1_000;

/** The key of the call in an action without other steps. */
export const onlyCallKey = "call";

export const stepKeyPattern = /^[a-z][a-z0-9_]{0,39}$/;

/** True if the text can be the key of a step. */
export function isStepKey(text: string): boolean {
  return stepKeyPattern.test(text);
}

/**
 * The states of a step in the ledger. The database checks them. `calling`: its call may have been
 * sent. `unknown`: the call may have been sent, and a crash hid the outcome, so a person decides.
 * `reset`: a user asked to repeat it, and the run hasn't reached it yet.
 */
export const stepStates = [
  "calling",
  "waiting",
  "retrying",
  "unknown",
  "succeeded",
  "failed",
  "skipped",
  "reset",
] as const;
export type StepState = (typeof stepStates)[number];

type EndedStepState = Extract<StepState, "succeeded" | "failed" | "skipped">;

export function isEndedStep(state: StepState): state is EndedStepState {
  return state === "succeeded" || state === "failed" || state === "skipped";
}
