/**
 * The states of a step in the ledger. The database checks them. `calling`: its call may have been
 * sent. `unknown`: it was, and a crash hid the outcome, so a person decides. `reset`: a user asked to
 * do it again, and the run hasn't come to it yet.
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

export type EndedStepState = Extract<StepState, "succeeded" | "failed" | "skipped">;

export function isEndedStep(state: StepState): state is EndedStepState {
  return state === "succeeded" || state === "failed" || state === "skipped";
}
