import { readDelay } from "#lib/core/steps/kinds/delay.ts";
import { toResult } from "#lib/core/steps/step-result.ts";
import { readValue } from "#lib/core/template/render-value.ts";
import type { StepOf } from "#lib/schema/action/steps.ts";
import { done, fail, lost, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepValue, type StepInput } from "./step-plan.ts";

/** Waits in the database: the run leaves its worker until the time has come. */
export async function doDelay(
  work: StepWork,
  step: StepOf<"delay">,
  at: number,
  input: StepInput,
): Promise<StepFlow> {
  const { ledger } = work;
  const known = ledger.find(step.key, at);
  if (known?.state === "waiting") {
    const leftMs = known.dueInMs ?? 0;
    if (leftMs > 0) return wait(step, leftMs);
    const change = { state: "succeeded", resultJson: toResult(null) } as const;
    return (await ledger.set(step.key, at, change)) ? done : lost;
  }
  const prepared = await prepareStepValue(work.ground, input, step.until ?? null);
  if (prepared.kind === "skip") return skip(work, step, at, prepared.message);
  if (prepared.kind === "fail") return fail(work, step, at, prepared.error);
  const effect = { kind: "delay", ms: step.ms, until: readValue(prepared.value) } as const;
  const read = readDelay(effect, Date.now());
  if (!read.ok) return fail(work, step, at, { code: "time_invalid", message: read.message });
  const { delayMs } = read;
  if (!(await ledger.set(step.key, at, { state: "waiting", delayMs }))) return lost;
  return wait(step, delayMs);
}

function wait({ key }: StepOf<"delay">, delayMs: number): StepFlow {
  return {
    kind: "pause",
    code: "delay",
    detail: `Step ${key}: the delay isn't over yet.`,
    delayMs,
  };
}
