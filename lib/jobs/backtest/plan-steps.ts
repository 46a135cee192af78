import type { PublishedEvent } from "#lib/core/sending/read-published-event.ts";
import type { Finding } from "#lib/core/sending/schema-finding.ts";
import { describeUnpublished, findMismatched } from "#lib/core/sending/why-unpublished.ts";
import { readDelay } from "#lib/core/steps/kinds/delay.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import { dependsOn } from "#lib/core/steps/step-dependencies.ts";
import type { StepDriver, StepEnd } from "#lib/core/steps/step-driver.ts";
import { toStepResult } from "#lib/core/steps/step-result.ts";
import { walkSteps } from "#lib/core/steps/walk-steps.ts";
import type { StepsConfig } from "#lib/worker/config/action-config.ts";
import {
  prepareFilter,
  resolveNeeds,
  type StepContext,
  toStepId,
  transformInRun,
} from "#lib/worker/steps/step-context.ts";
import { KnownResults } from "./known-results.ts";
import { checkAddress, type Effect, type PlanInput, planOf, type RunPlan } from "./run-plan.ts";

/** Items of a list, per step. The result says which lists have more. */
const maxItems = 100;

/**
 * Runs the steps of a run as its worker would, but sends nothing. A call gets the response that the
 * real run of this delivery got, or the one that the user gave. Steps that need any other response
 * are unknown. Delays are skipped.
 */
export async function planSteps(input: PlanInput, config: StepsConfig): Promise<RunPlan> {
  const { context, real, givenResponses } = input;
  const { filter, auths, steps } = config;
  if (filter !== null) {
    const checked = await prepareFilter(context, filter);
    if (checked.kind === "skip")
      return planOf("skip", { code: "filter_not_matched", message: checked.message });
    if (checked.kind === "fail") return planOf("fail", checked);
  }
  const results = new KnownResults(real, givenResponses);
  const readNames: StepContext["readNames"] = (item) => ({ names: results.names(item), chars: 0 });
  const found: Found = { effects: [], unanswered: [], unknownSteps: [], cutLists: [] };
  const driver = assumeResults({ ...context, auths, readNames }, input, results, found);
  const error = toError(await walkSteps(steps, driver));
  const { effects, unknownSteps, cutLists } = found;
  const plan = planOf(error === null ? "run" : "fail", error, effects);
  return { ...plan, unknownSteps, cutLists, responses: results.sources };
}

type Found = {
  readonly effects: Effect[];
  /** Calls without a response. */
  readonly unanswered: string[];
  readonly unknownSteps: string[];
  readonly cutLists: string[];
};

const done: StepEnd = { kind: "done" };
const unknown: StepEnd = { kind: "unknown" };

/** Keeps the requests that would be sent, and gives steps the known results. */
function assumeResults(
  context: StepContext,
  input: PlanInput,
  results: KnownResults,
  found: Found,
): StepDriver {
  const { endsAt, allowList } = input;
  const { effects, unanswered, unknownSteps, cutLists } = found;
  const driver: StepDriver = {
    ...resolveNeeds(context),
    findStop: () => (performance.now() > endsAt ? tooSlow : null),
    find: async ({ step, item }) => {
      if (item !== null || !dependsOn(step, [...unanswered, ...unknownSteps])) return null;
      unknownSteps.push(step.key);
      return unknown;
    },
    chooseItems: ({ key }, list) => {
      if (list.length > maxItems) cutLists.push(key);
      const items = list.slice(0, maxItems).map((value, index) => ({ value, index }));
      return { items, parallel: 1 };
    },
    perform: async (run, effect) => {
      const place = { step: run.step.key, item: run.item?.index ?? null };
      switch (effect.kind) {
        case "call": {
          const { request } = effect;
          const blocked = checkAddress(request, allowList);
          if (blocked !== null) return driver.end(run, { ...blocked, state: "failed", errors: [] });
          effects.push({ ...place, kind: "call", request });
          const ended = results.respond(place.step, place.item);
          if (ended === undefined) unanswered.push(place.step);
          if (ended === undefined) return unknown;
          return ended.error === null ? done : toFailed(place.step, ended.error);
        }
        case "publish": {
          const { event } = effect;
          const finding = await check(input, event);
          if (finding === "busy") return tooSlow;
          const broken = findMismatched(finding);
          if (broken !== null) {
            const message = describeUnpublished(event.type, broken);
            return driver.end(run, { state: "failed", code: broken.code, message, errors: [] });
          }
          const body = Buffer.from(effect.json);
          effects.push({
            ...place,
            kind: "publish",
            request: { method: "", url: "", headers: [], body },
          });
          return driver.end(run, { state: "succeeded", value: { id: toStepId(context, run) } });
        }
        case "transform":
          return driver.end(run, await transformInRun(context, run, effect.code));
        // As if the run began when the delivery arrived.
        case "delay": {
          const read = readDelay(effect, context.delivery.view.receivedAtMs);
          return driver.end(
            run,
            read.ok ? { state: "succeeded", value: null } : { ...read, state: "failed" },
          );
        }
        default:
          return effect satisfies never;
      }
    },
    end: async ({ step: { key }, item }, outcome) => {
      results.set(key, item?.index ?? null, toStepResult(outcome));
      return outcome.state === "failed" ? toFailed(key, outcome) : done;
    },
  };
  return driver;
}

/** Checks an event against the schema of its type. It waits for threads as long as the delivery may take. */
async function check(
  { context, checkEvents, endsAt }: PlanInput,
  event: PublishedEvent,
): Promise<Finding | "busy"> {
  for (;;) {
    const checks = await checkEvents(context.target.accountId, [event]);
    if (checks !== "busy") return checks[0]?.finding ?? null;
    if (performance.now() > endsAt) return "busy";
  }
}

function toFailed(key: string, { code, message }: StepError): StepEnd {
  return { kind: "failed", key, code, message };
}

const tooSlow = {
  kind: "pause",
  code: "backtest_too_slow",
  detail: "This delivery took longer than a backtest allows. A run has more time.",
  delayMs: 0,
} as const;

/** The reason for which the run would fail. */
function toError(end: StepEnd): StepError | null {
  if (end.kind === "pause") return { code: end.code, message: end.detail };
  if (end.kind !== "failed") return null;
  return { code: end.code, message: `Step ${end.key}: ${end.message}` };
}
