import { readPublishedEvent } from "#lib/core/sender/read-published-event.ts";
import type { StepError } from "#lib/core/steps/step-result.ts";
import { readStepValue } from "#lib/core/steps/step-value.ts";
import { maxStepItems } from "#lib/schema/action/step-limits.ts";
import type { AnyStep, StepOf } from "#lib/schema/action/steps.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { runTransform } from "#lib/threads/transform/run-transform.ts";
import type { StepsConfig } from "#lib/worker/action/action-config.ts";
import { prepareStepCall, prepareStepValue, type StepInput } from "#lib/worker/steps/step-plan.ts";
import { KnownResults } from "./known-results.ts";
import { checkAddress, type Effect, type PlanInput, planOf, type RunPlan } from "./run-plan.ts";
import { dependsOn } from "./step-dependencies.ts";

/** Of a list, per step. The result says which lists have more. */
const maxItems = 100;

type Walk = PlanInput & {
  readonly config: StepsConfig;
  readonly results: KnownResults;
  readonly effects: Effect[];
  /** Calls without an answer. */
  readonly unanswered: string[];
  readonly unknownSteps: string[];
  readonly cutLists: string[];
};

type Item = { readonly value: JsonValue; readonly index: number };
/** Undefined: what the step gives depends on an answer that isn't there. */
type Ended = { readonly error: StepError | null } | undefined;

/**
 * Does the steps of a run as its worker would, with the same code for conditions, templates, and
 * transforms, and sends nothing. A call is answered by what the real run of this delivery got, or
 * by what the user gave. Steps that need any other answer are unknown. Delays have passed.
 */
export async function planSteps(input: PlanInput, config: StepsConfig): Promise<RunPlan> {
  const { ground, runId, real, givenAnswers } = input;
  const results = new KnownResults(real, givenAnswers);
  const lists = { effects: [], unanswered: [], unknownSteps: [], cutLists: [] };
  const walk: Walk = { ...input, config, results, ...lists };
  if (config.filter !== null) {
    const about = {
      when: config.filter,
      names: { steps: {} },
      nameChars: 0,
      idempotencyKey: runId,
    };
    const checked = await prepareStepValue(ground, about, null);
    if (checked.kind === "skip")
      return planOf("skip", { code: "filter_not_matched", message: checked.message });
    if (checked.kind === "fail") return planOf("fail", checked.error);
  }
  const error = await walkSteps(walk, config.steps);
  const { effects, unknownSteps, cutLists } = walk;
  const plan = planOf(error === null ? "run" : "fail", error, effects);
  return { ...plan, unknownSteps, cutLists, answers: results.sources };
}

/** The error that ends the run. */
async function walkSteps(walk: Walk, steps: readonly AnyStep[]): Promise<StepError | null> {
  for (const step of steps) {
    if (performance.now() > walk.endsAt) return tooSlow;
    if (dependsOn(step, [...walk.unanswered, ...walk.unknownSteps])) {
      walk.unknownSteps.push(step.key);
      continue;
    }
    const ended = step.forEach === null ? await doOne(walk, step) : await doItems(walk, step);
    if (ended === undefined) walk.unanswered.push(step.key);
    const error = ended?.error ?? null;
    if (error === null || step.onFailure === "continue") continue;
    if (step.onFailure === "stop")
      return { ...error, message: `Step ${step.key}: ${error.message}` };
    const handled = await walkSteps(walk, step.onFailure.steps);
    if (handled !== null) return handled;
  }
  return null;
}

const tooSlow: StepError = {
  code: "backtest_too_slow",
  message: "This delivery took longer than a backtest allows. A run has more time.",
};

async function doItems(walk: Walk, step: AnyStep): Promise<Ended> {
  const path = step.forEach?.path ?? "";
  const input = { ...inputOf(walk, step, null), when: null };
  const prepared = await prepareStepValue(walk.ground, input, `{{ ${path} }}`);
  if (prepared.kind === "skip") return done;
  if (prepared.kind === "fail") return fail(walk, step, null, prepared.error);
  const items = readStepValue(prepared.value);
  const problem = !Array.isArray(items)
    ? `forEach: ${path} is not a list`
    : items.length > maxStepItems
      ? `forEach: ${path} has ${items.length} items, and at most ${maxStepItems} are done`
      : null;
  if (problem !== null || !Array.isArray(items))
    return fail(walk, step, null, { code: "list_invalid", message: problem ?? "" });
  if (items.length > maxItems) walk.cutLists.push(step.key);
  const errors: StepError[] = [];
  let isUnknown = false;
  for (const [index, value] of items.slice(0, maxItems).entries()) {
    if (performance.now() > walk.endsAt) return fail(walk, step, null, tooSlow);
    const ended = await doOne(walk, step, { value, index });
    if (ended === undefined) isUnknown = true;
    const error = ended?.error ?? null;
    if (error !== null) errors.push(error);
    if (errors.length > 0 && step.onFailure !== "continue") break;
  }
  const [first] = errors;
  if (first !== undefined) {
    const message = `${errors.length} of ${items.length} items failed, the first with: ${first.message}`;
    return fail(walk, step, null, { code: first.code, message });
  }
  if (isUnknown) return undefined;
  walk.results.set(step.key, null, { value: null, error: null });
  return done;
}

const done: Ended = { error: null };

async function doOne(walk: Walk, step: AnyStep, item: Item | null = null): Promise<Ended> {
  const input = inputOf(walk, step, item);
  switch (step.kind) {
    case "call":
      return await doCall(walk, step, item, input);
    case "publish":
      return await doPublish(walk, step, item, input);
    case "transform":
      return await doTransform(walk, step, input);
    case "delay":
      return await doDelay(walk, step, item, input);
    default:
      return step satisfies never;
  }
}

async function doCall(
  walk: Walk,
  step: StepOf<"call">,
  item: Item | null,
  input: StepInput,
): Promise<Ended> {
  const { auth: _apart, ...request } = step.request;
  const auth = walk.config.auths.get(step.key) ?? null;
  const prepared = await prepareStepCall(walk.ground, input, { request, auth });
  if (prepared.kind === "skip") return skip(walk, step, item);
  if (prepared.kind === "fail") return fail(walk, step, item, prepared.error);
  const blocked = checkAddress(prepared.value, walk.allowList);
  if (blocked !== null) return fail(walk, step, item, blocked);
  const place = { step: step.key, item: item?.index ?? null };
  walk.effects.push({ ...place, kind: "call", request: prepared.value });
  return walk.results.answer(step.key, item?.index ?? null);
}

async function doPublish(
  walk: Walk,
  step: StepOf<"publish">,
  item: Item | null,
  input: StepInput,
): Promise<Ended> {
  const { type, recipient, data } = step;
  const id = input.idempotencyKey;
  const body = { type, id, ...(recipient !== null && { recipient }), data };
  const prepared = await prepareStepValue(walk.ground, input, body);
  if (prepared.kind === "skip") return skip(walk, step, item);
  if (prepared.kind === "fail") return fail(walk, step, item, prepared.error);
  const read = readPublishedEvent(Buffer.from(prepared.value));
  if (!read.ok) {
    const message = read.problem.errors?.map((each) => `${each.path}: ${each.message}`).join("; ");
    const error = { code: "event_invalid", message: message ?? read.problem.detail };
    return fail(walk, step, item, error);
  }
  const place = { step: step.key, item: item?.index ?? null };
  const request = { method: "", url: "", headers: [], body: Buffer.from(prepared.value) };
  walk.effects.push({ ...place, kind: "publish", request });
  walk.results.set(step.key, place.item, { value: { id }, error: null });
  return done;
}

async function doTransform(
  walk: Walk,
  step: StepOf<"transform">,
  input: StepInput,
): Promise<Ended> {
  const { ground } = walk;
  const prepared = await prepareStepValue(ground, input, null);
  if (prepared.kind === "skip") return skip(walk, step, null);
  if (prepared.kind === "fail") return fail(walk, step, null, prepared.error);
  const { view } = ground.delivery;
  const { accountId, hook } = ground.target;
  const transformed = await runTransform(
    ground.threads,
    {
      source: step.code,
      delivery: view,
      hook,
      steps: input.names.steps,
      nowMs: view.receivedAtMs,
      seed: input.idempotencyKey,
    },
    { accountId },
  );
  if (!transformed.ok) {
    const { code, message, line, column } = transformed;
    const place = line === null ? "" : `line ${line}, column ${column}: `;
    const error = { code: `transform_${code}`, message: `${place}${message}` };
    return fail(walk, step, null, error);
  }
  walk.results.set(step.key, null, { value: transformed.value, error: null });
  return done;
}

/** Its time is checked by the run, which has a clock that goes on. */
async function doDelay(
  walk: Walk,
  step: StepOf<"delay">,
  item: Item | null,
  input: StepInput,
): Promise<Ended> {
  const prepared = await prepareStepValue(walk.ground, input, step.until ?? null);
  if (prepared.kind === "skip") return skip(walk, step, item);
  if (prepared.kind === "fail") return fail(walk, step, item, prepared.error);
  walk.results.set(step.key, item?.index ?? null, { value: null, error: null });
  return done;
}

function inputOf(walk: Walk, step: AnyStep, item: Item | null): StepInput {
  const key = `${walk.runId}-${step.key}`;
  return {
    when: step.when,
    names: walk.results.names(item),
    nameChars: 0,
    idempotencyKey: item === null ? key : `${key}-${item.index}`,
  };
}

function skip({ results }: Walk, { key }: AnyStep, item: Item | null): Ended {
  results.set(key, item?.index ?? null, { value: null, error: null });
  return done;
}

function fail({ results }: Walk, { key }: AnyStep, item: Item | null, error: StepError): Ended {
  results.set(key, item?.index ?? null, { value: null, error });
  return { error };
}
