import type { AnyStep } from "#lib/schema/act/steps.ts";
import { prepareEffect } from "./kinds/prepare-effect.ts";
import type { StepDriver, StepEnd, StepRun } from "./step-driver.ts";
import { walkItems } from "./walk-items.ts";

/**
 * Runs steps in order, and those of a branch in place of one that failed. The driver provides what
 * they need and performs their effects, so a run, a backtest, and a preview follow the same rules.
 */
export async function walkSteps(steps: readonly AnyStep[], driver: StepDriver): Promise<StepEnd> {
  for (const step of steps) {
    const stop = driver.findStop();
    if (stop !== null) return stop;
    const end = await walkStep(step, driver);
    if (end.kind === "done" || end.kind === "unknown") continue;
    if (end.kind !== "failed" || step.onFailure === "stop") return end;
    if (step.onFailure === "continue") continue;
    const handled = await walkSteps(step.onFailure.steps, driver);
    if (handled.kind !== "done") return handled;
  }
  return { kind: "done" };
}

/** Runs one step, with all of its items. */
export async function walkStep(step: AnyStep, driver: StepDriver): Promise<StepEnd> {
  const { when, forEach } = step;
  if (forEach === null) return await walkRun({ step, item: null, when }, driver);
  const known = await driver.find({ step, item: null, when: null });
  if (known !== null) return known;
  return await walkItems(step, forEach, driver, (item) => walkRun({ step, item, when }, driver));
}

async function walkRun(run: StepRun, driver: StepDriver): Promise<StepEnd> {
  const known = await driver.find(run);
  if (known !== null) return known;
  const prepared = await prepareEffect(run.step, {
    request: (request) => driver.prepareRequest(run, request),
    value: (value, at) => driver.prepareValue(run, value, at),
  });
  switch (prepared.kind) {
    case "ready":
      return await driver.perform(run, prepared.value);
    case "skip":
      return await driver.end(run, { state: "skipped", message: prepared.message });
    case "fail":
      return await driver.end(run, { ...prepared, state: "failed" });
    default:
      return prepared satisfies never;
  }
}
