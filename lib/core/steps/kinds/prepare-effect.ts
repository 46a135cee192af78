import type { AnyStep } from "#lib/schema/act/steps.ts";
import { prepareCallStep } from "./call.ts";
import { prepareDelay } from "./delay.ts";
import { preparePublish } from "./publish.ts";
import type { Needs, Prepared, StepEffect } from "./step-kind.ts";
import { prepareTransform } from "./transform.ts";

/** The effect of a step, by its kind. */
export function prepareEffect(step: AnyStep, needs: Needs): Promise<Prepared<StepEffect>> {
  switch (step.kind) {
    case "call":
      return prepareCallStep(step, needs);
    case "transform":
      return prepareTransform(step, needs);
    case "delay":
      return prepareDelay(step, needs);
    case "publish":
      return preparePublish(step, needs);
    default:
      return step satisfies never;
  }
}
