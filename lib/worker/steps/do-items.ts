import { wholeStep } from "#lib/core/steps/collect-results.ts";
import { toResult } from "#lib/core/steps/step-result.ts";
import { readValue } from "#lib/core/template/render-value.ts";
import { maxStepItems } from "#lib/schema/action/step-limits.ts";
import type { AnyStep } from "#lib/schema/action/steps.ts";
import { doStep } from "./do-step.ts";
import { done, fail, lost, readEnded, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepValue } from "./step-plan.ts";

/**
 * A step for each item of a list. One that fails or waits doesn't keep others that run beside it from
 * ending. In order, none begins after one that failed or waits. The list follows from the delivery
 * and from outcomes that never change, so it is the same each time.
 */
export async function doItems(
  work: StepWork,
  step: AnyStep,
  { path, parallel }: NonNullable<AnyStep["forEach"]>,
): Promise<StepFlow> {
  const ended = readEnded(work, step, wholeStep);
  if (ended !== null) return ended;
  const { ledger } = work;
  const input = {
    // Decided per item, which may be in the condition.
    when: null,
    names: ledger.names(),
    nameChars: ledger.resultChars,
    idempotencyKey: "",
  };
  const prepared = await prepareStepValue(work.ground, input, `{{ ${path} }}`);
  if (prepared.kind === "skip") return skip(work, step, wholeStep, prepared.message);
  if (prepared.kind === "fail") return fail(work, step, wholeStep, prepared.error);
  const items = readValue(prepared.value);
  const problem = !Array.isArray(items)
    ? `forEach: ${path} is not a list`
    : items.length > maxStepItems
      ? `forEach: ${path} has ${items.length} items, and at most ${maxStepItems} are done`
      : null;
  if (problem !== null || !Array.isArray(items))
    return fail(work, step, wholeStep, { code: "list_invalid", message: problem ?? "" });
  const flows: StepFlow[] = [];
  let next = 0;
  const thrown: unknown[] = [];
  const mayBegin = () =>
    next < items.length &&
    thrown.length === 0 &&
    !isOver(flows, step, parallel) &&
    !work.stopping.aborted;
  const doNext = async () => {
    while (mayBegin()) {
      const index = next;
      next += 1;
      try {
        flows.push(await doStep(work, step, { value: items[index] ?? null, index }));
      } catch (error) {
        thrown.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, doNext));
  // Only now: the calls of other items have been recorded.
  if (thrown.length > 0) throw thrown[0];
  return conclude(work, step, flows, items.length);
}

/** Whether no further item may begin. */
function isOver(flows: readonly StepFlow[], step: AnyStep, parallel: number): boolean {
  return flows.some(({ kind }) => {
    if (kind === "lost") return true;
    if (kind === "failed") return step.onFailure !== "continue";
    return kind === "pause" && parallel === 1;
  });
}

async function conclude(
  work: StepWork,
  step: AnyStep,
  flows: readonly StepFlow[],
  count: number,
): Promise<StepFlow> {
  if (flows.some(({ kind }) => kind === "lost")) return lost;
  const [pause] = flows
    .filter((flow) => flow.kind === "pause")
    .toSorted((a, b) => a.delayMs - b.delayMs);
  const failed = flows.find((flow) => flow.kind === "failed");
  const mayGoOn = failed === undefined || step.onFailure === "continue";
  if (pause !== undefined && mayGoOn) return pause;
  if (flows.length < count && mayGoOn)
    return { kind: "pause", code: "worker_stopped", detail: "The worker was stopped.", delayMs: 0 };
  if (failed !== undefined) {
    const failures = flows.filter(({ kind }) => kind === "failed").length;
    const message = `${failures} of ${count} items failed, the first with: ${failed.message}`;
    return fail(work, step, wholeStep, { code: failed.code, message });
  }
  const change = { state: "succeeded", resultJson: toResult(null) } as const;
  return (await work.ledger.set(step.key, wholeStep, change)) ? done : lost;
}
