import { readValue } from "#lib/core/mapping/template/render-value.ts";
import { maxStepItems } from "#lib/schema/act/step-limits.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { readSteps, writePath } from "#lib/schema/field/value-path.ts";
import type { StepOutcome } from "./kinds/step-kind.ts";
import type { StepDriver, StepEnd, StepItem } from "./step-driver.ts";

/**
 * Runs a step for each item of a list. If one fails or waits, items that run beside it still end.
 * In order, none begins after one that failed or waits. The list follows from the delivery and from
 * outcomes that never change, so it is the same each time.
 */
export async function walkItems(
  step: AnyStep,
  { path }: NonNullable<AnyStep["forEach"]>,
  driver: StepDriver,
  walkItem: (item: StepItem) => Promise<StepEnd>,
): Promise<StepEnd> {
  // The condition is decided per item, because it may refer to the item.
  const whole = { step, item: null, when: null };
  const prepared = await driver.prepareValue(whole, toTemplate(path), "forEach.path");
  // Without a condition, nothing is skipped.
  if (prepared.kind === "skip") return await driver.end(whole, { ...prepared, state: "skipped" });
  if (prepared.kind === "fail") return await driver.end(whole, { ...prepared, state: "failed" });
  const list = readValue(prepared.value);
  const problem = describeList(path, list);
  if (problem !== null || !Array.isArray(list)) return await driver.end(whole, rejectList(problem));
  const { items, parallel } = driver.chooseItems(step, list);
  const ends = await walkParallel(items, parallel, walkItem, (ends) =>
    isOver(ends, step, parallel) ? true : driver.findStop() !== null,
  );
  const merged = mergeEnds(step, ends, items.length, list.length, driver);
  return "state" in merged ? await driver.end(whole, merged) : merged;
}

/** Names such as `$items` need brackets in a template, and none in a path. */
function toTemplate(path: string): string {
  return `{{ ${writePath(readSteps(path))} }}`;
}

function describeList(path: string, list: JsonValue): string | null {
  if (!Array.isArray(list)) return `${path} is not a list`;
  if (list.length <= maxStepItems) return null;
  return `${path} has ${list.length} items, and at most ${maxStepItems} are done`;
}

function rejectList(problem: string | null): StepOutcome {
  const message = problem ?? "";
  const errors = [{ path: "forEach.path", code: "invalid_value", message }] as const;
  return { state: "failed", code: "list_invalid", message: `forEach: ${message}`, errors };
}

/** Processes as many items at once as allowed. If one throws, those in progress end first. */
async function walkParallel(
  items: readonly StepItem[],
  parallel: number,
  walkItem: (item: StepItem) => Promise<StepEnd>,
  mustStop: (ends: readonly StepEnd[]) => boolean,
): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = [];
  const thrown: unknown[] = [];
  const left = items.values();
  const walkNext = async () => {
    while (thrown.length === 0 && !mustStop(ends)) {
      const { value: item, done } = left.next();
      if (done === true) return;
      try {
        ends.push(await walkItem(item));
      } catch (error) {
        thrown.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, walkNext));
  if (thrown.length > 0) throw thrown[0];
  return ends;
}

/** True if no further item may begin. */
function isOver(ends: readonly StepEnd[], step: AnyStep, parallel: number): boolean {
  return ends.some(({ kind }) => {
    if (kind === "lost") return true;
    if (kind === "failed") return step.onFailure !== "continue";
    return kind === "pause" && parallel === 1;
  });
}

/** The result of the step from those of its items: how it ended, or why it hasn't. */
function mergeEnds(
  step: AnyStep,
  ends: readonly StepEnd[],
  chosenCount: number,
  listCount: number,
  driver: StepDriver,
): StepEnd | StepOutcome {
  const lost = ends.find(({ kind }) => kind === "lost");
  if (lost !== undefined) return lost;
  const failures = ends.filter((end) => end.kind === "failed");
  const [failed] = failures;
  if (failed === undefined || step.onFailure === "continue") {
    const pauses = ends.filter((end) => end.kind === "pause");
    const stop = ends.length < chosenCount ? driver.findStop() : null;
    const next = pauses.toSorted((a, b) => a.delayMs - b.delayMs)[0] ?? stop;
    if (next !== null) return next;
  }
  if (failed !== undefined) {
    const { code } = failed;
    const message = `${failures.length} of ${listCount} items failed, the first with: ${failed.message}`;
    return { state: "failed", code, message, errors: [] };
  }
  const unknown = ends.find(({ kind }) => kind === "unknown");
  return unknown ?? { state: "succeeded", value: null };
}
