import { toResult } from "#lib/core/steps/step-result.ts";
import type { StepOf } from "#lib/schema/action/steps.ts";
import { runTransform } from "#lib/threads/transform/run-transform.ts";
import { done, fail, lost, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepValue, type StepInput } from "./step-plan.ts";

/** The clock is the delivery's time, and chance follows from run and step: each time the same. */
export async function doTransform(
  work: StepWork,
  step: StepOf<"transform">,
  at: number,
  input: StepInput,
): Promise<StepFlow> {
  const { ground, ledger, run } = work;
  const prepared = await prepareStepValue(ground, input, null);
  if (prepared.kind === "skip") return skip(work, step, at, prepared.message);
  if (prepared.kind === "fail") return fail(work, step, at, prepared.error);
  const { view } = ground.delivery;
  const transformed = await runTransform(
    ground.threads,
    {
      source: step.code,
      delivery: view,
      hook: ground.target.hook,
      steps: input.names.steps,
      nowMs: view.receivedAtMs,
      seed: input.idempotencyKey,
    },
    { accountId: run.accountId },
  );
  if (!transformed.ok) {
    const { code, message, line, column } = transformed;
    const place = line === null ? "" : `line ${line}, column ${column}: `;
    return fail(work, step, at, { code: `transform_${code}`, message: `${place}${message}` });
  }
  const resultJson = toResult(transformed.value);
  return (await ledger.set(step.key, at, { state: "succeeded", resultJson })) ? done : lost;
}
