import type { StepKind } from "./step-kind.ts";

export const prepareCallStep: StepKind<"call"> = async (step, needs) => {
  const made = await needs.request(step.request);
  return made.kind === "ready"
    ? { kind: "ready", value: { kind: "call", request: made.value } }
    : made;
};
