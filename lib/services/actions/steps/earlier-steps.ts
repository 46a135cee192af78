import type { StepError, StepOutcome } from "#lib/core/steps/kinds/step-kind.ts";
import { dependsOn } from "#lib/core/steps/step-dependencies.ts";
import type { StepDriver, StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { toStepResult } from "#lib/core/steps/step-result.ts";
import { walkStep } from "#lib/core/steps/walk-steps.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import type { EarlierStep, StepDraftInput } from "./step-draft-input.ts";

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
