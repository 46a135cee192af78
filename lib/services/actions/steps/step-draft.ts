import { z } from "zod";
import type { StepError, StepOutcome } from "#lib/core/steps/kinds/step-kind.ts";
import { dependsOn } from "#lib/core/steps/step-dependencies.ts";
import type { StepDriver, StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { toStepResult } from "#lib/core/steps/step-result.ts";
import { walkStep } from "#lib/core/steps/walk-steps.ts";
import { callActionSchema } from "#lib/schema/act/action.ts";
import { stepFilterSchema } from "#lib/schema/act/action-filter.ts";
import { maxStepItems, maxSteps } from "#lib/schema/act/step-limits.ts";
import { type AnyStep, stepKinds, stepSchema } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";

const key = z.string().max(64);

/**
 * A step of the editor, with what it needs of earlier steps: the code of a transform, which runs
 * again, or the result that "Run this step" gave. Other steps have their results from the last run.
 */
export const stepDraftSchema = z.strictObject({
  /** The action's filter. */
  filter: callActionSchema.shape.filter,
  step: stepSchema,
  /** The step's key when the action was saved. */
  formerKey: key.nullable(),
  /** The action's timeout, for a call without its own. */
  timeoutMs: callActionSchema.shape.timeoutMs.catch(15_000),
  /** The index of the `forEach` item to show. */
  itemIndex: z
    .int()
    .min(0)
    .max(maxStepItems - 1),
  /** The key of the step that has it in its branch. Null: none. */
  branchOf: key.nullable().default(null),
  earlier: z
    .array(
      z.strictObject({
        key,
        formerKey: key.nullable(),
        kind: z.enum(stepKinds),
        code: z.string().max(65_536).optional(),
        when: stepFilterSchema.nullable().catch(null).default(null),
        /** True: it runs for each item of a list, and its condition is decided per item. */
        hasItems: z.boolean().default(false),
        onFailure: z.enum(["stop", "continue", "steps"]).default("stop"),
        /** The key of the step that has this one in its branch. Null: none. */
        branchOf: key.nullable().default(null),
        given: z.unknown().optional(),
      }),
    )
    .max(maxSteps),
});
export type StepDraftInput = z.output<typeof stepDraftSchema>;
export type EarlierStep = StepDraftInput["earlier"][number];

/**
 * The steps before the one that a preview shows. They follow the rules of a run as far as their results are known:
 * typed in the editor, computed again, or from the action's last run on the delivery.
 */
export class EarlierSteps {
  readonly #input: StepDraftInput;
  /** By key, as templates see them. */
  readonly results: Record<string, JsonValue> = Object.create(null);
  /** The keys of steps that have ended, with the error of those that failed. */
  readonly #ended = new Map<string, StepError | null>();
  readonly #unknown: string[] = [];
  #stop: FieldError | null = null;

  constructor(input: StepDraftInput) {
    this.#input = input;
  }

  /** The failure of a step that ends the run before the shown one. */
  get stop(): FieldError | null {
    return this.#stop;
  }

  /** @param last results of the action's last run on the delivery, by the keys they had then */
  async walk(driver: StepDriver, last: Readonly<Record<string, JsonValue>>): Promise<void> {
    for (const step of this.#input.earlier) {
      if (!this.#isReached(step)) continue;
      await this.#read(step, driver, last[step.formerKey ?? ""]);
      const error = this.#ended.get(step.key);
      if (error === undefined) this.#unknown.push(step.key);
      if (error == null || step.onFailure !== "stop") continue;
      const message = `fails, so the run ends before this step: ${error.message}`;
      this.#stop = { path: `steps.${step.key}`, code: "conflict", message };
      return;
    }
  }

  /** Keeps the outcome of a step that was computed. */
  add({ step: { key } }: StepRun, outcome: StepOutcome): StepEnd {
    this.results[key] = toStepResult(outcome);
    this.#ended.set(key, outcome.state === "failed" ? outcome : null);
    return { kind: "done" };
  }

  /** The steps of a branch run if its step failed. Those before the shown one in its branch run like that one. */
  #isReached({ branchOf }: EarlierStep): boolean {
    if (branchOf === null || branchOf === this.#input.branchOf) return true;
    return this.#ended.get(branchOf) !== null;
  }

  async #read(
    { key, kind, code, given, when, hasItems }: EarlierStep,
    driver: StepDriver,
    stored: JsonValue | undefined,
  ): Promise<void> {
    if (given !== undefined) return this.#set(key, given as JsonValue);
    const base = { key, when, forEach: null, onFailure: "continue" } as const;
    if (kind === "transform" && code !== undefined) {
      await walkStep({ ...base, kind, code }, driver);
      return;
    }
    // Its condition can be decided if it reads no result that isn't known.
    const wait: AnyStep = { ...base, kind: "delay", ms: 1_000 };
    const isDecided = when !== null && !hasItems && !dependsOn(wait, this.#unknown);
    const run = { step: wait, item: null, when };
    const decided = isDecided ? await driver.prepareValue(run, null, "") : null;
    if (decided?.kind === "skip") this.add(run, { state: "skipped", message: decided.message });
    else if (decided?.kind === "fail") this.add(run, { ...decided, state: "failed" });
    else if (kind === "delay" && !hasItems) this.add(run, { state: "succeeded", value: null });
    else if (stored !== undefined && !wasSkipped(stored, kind)) this.#set(key, stored);
  }

  #set(key: string, result: JsonValue): void {
    this.results[key] = result;
    this.#ended.set(key, readError(result));
  }
}

/** A call that the last run skipped has no response. This time, it isn't skipped. */
function wasSkipped(result: JsonValue, kind: EarlierStep["kind"]): boolean {
  if (!isJsonObject(result)) return false;
  const hasNothing = kind === "call" && !("status" in result) && !("items" in result);
  return result.skipped === true || (hasNothing && readError(result) === null);
}

function readError(result: JsonValue): StepError | null {
  const error = isJsonObject(result) ? result.error : null;
  if (!isJsonObject(error)) return null;
  return { code: String(error.code ?? "failed"), message: String(error.message ?? "") };
}
