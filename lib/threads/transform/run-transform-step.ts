import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import type { StepOutcome } from "#lib/core/steps/kinds/step-kind.ts";
import { toTransformOutcome } from "#lib/core/steps/kinds/transform.ts";
import type { Threads } from "../thread-pool.ts";
import { runTransform } from "./run-transform.ts";
import type { TransformTasks } from "./transform-task.ts";

type TransformStep = {
  readonly code: string;
  readonly accountId: string;
  readonly hook: HookView;
  readonly delivery: DeliveryView;
  readonly names: StepNames;
  /** The names of the run and the step. Random numbers follow from it. */
  readonly seed: string;
};

/**
 * Runs a transform with the delivery's time as its clock, and random numbers that follow from the
 * seed, so that it always gives the same result.
 */
export async function runTransformStep(
  threads: Threads<TransformTasks>,
  { code, accountId, hook, delivery, names, seed }: TransformStep,
): Promise<StepOutcome> {
  const { steps } = names;
  const nowMs = delivery.receivedAtMs;
  const input = { source: code, delivery, hook, steps, nowMs, seed };
  return toTransformOutcome(await runTransform(threads, input, { accountId }));
}
