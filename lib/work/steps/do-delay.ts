import { toResult } from "#lib/core/steps/step-result.ts";
import { parseDateMs } from "#lib/core/template/parse-date.ts";
import type { StepOf } from "#lib/schema/action/steps.ts";
import { done, fail, lost, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepValue, readStepValue, type StepInput } from "./step-plan.ts";

const maxDelayMs = 30 * 86_400_000;
/** Unix seconds reach this in the year 5138. */
const minMilliseconds = 100_000_000_000;

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
  const delayMs = step.ms ?? readDelay(readStepValue(prepared.value), Date.now());
  if (delayMs === null) {
    const message = "until: the time must be RFC 3339, or Unix seconds or milliseconds";
    return fail(work, step, at, { code: "time_invalid", message });
  }
  if (delayMs > maxDelayMs) {
    const message = "until: the time must be at most 30 days from now";
    return fail(work, step, at, { code: "time_invalid", message });
  }
  if (!(await ledger.set(step.key, at, { state: "waiting", delayMs }))) return lost;
  return wait(step, delayMs);
}

function wait({ key }: StepOf<"delay">, delayMs: number): StepFlow {
  return { kind: "pause", code: "delay", detail: `Step ${key} waits as the action says.`, delayMs };
}

/** A time that has passed is now. Null: not a time. */
function readDelay(value: unknown, nowMs: number): number | null {
  const number = Number(value);
  const isMilliseconds = value !== null && value !== "" && Math.abs(number) >= minMilliseconds;
  const ms = isMilliseconds ? number : parseDateMs(value, nowMs);
  return ms === undefined ? null : Math.max(0, Math.round(ms - nowMs));
}
