import { type ActionRequestTemplate, toStoredRequest } from "#lib/schema/act/action-request.ts";
import { type ActionStep, mapSteps } from "#lib/schema/act/steps.ts";

/**
 * The stored form of an action's behavior: one call or steps, with their credentials kept apart.
 */
export type ActionWork = {
  readonly request: ActionRequestTemplate | null;
  readonly steps: readonly ActionStep[] | null;
  readonly authCiphertext: Uint8Array | null;
};

/** The same as JSON, in the form in which it is parsed again. */
export function toStoredWork({ request, steps }: Pick<ActionWork, "request" | "steps">) {
  if (steps === null) return { request: request === null ? null : toStoredRequest(request), steps };
  const stored = mapSteps(steps, (step) =>
    step.kind === "call" ? { ...step, request: toStoredRequest(step.request) } : step,
  );
  return { request: null, steps: stored };
}
