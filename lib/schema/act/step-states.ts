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
