import { newId } from "#lib/base/ids.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { NotBuilt } from "#lib/core/mapping/build-request/need.ts";
import { toFieldErrors } from "#lib/core/mapping/build-request/problem-list.ts";
import type { FilterVerdict } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import {
  describeUnpublished,
  findMismatched,
  type WhyUnpublished,
} from "#lib/core/sending/why-unpublished.ts";
import { readDelay } from "#lib/core/steps/kinds/delay.ts";
import type {
  CallRequest,
  Prepared,
  StepEffect,
  StepOutcome,
} from "#lib/core/steps/kinds/step-kind.ts";
import type { StepDriver, StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { toStepResult } from "#lib/core/steps/step-result.ts";
import { walkStep } from "#lib/core/steps/walk-steps.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ShownRequest } from "#lib/services/actions/build-preview.ts";
import {
  type DraftContext,
  type PreparedDraftCall,
  prepareDraft,
  showStart,
} from "#lib/services/actions/preview-draft.ts";
import { checkEvent } from "#lib/services/events/publish-event.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import { runTransformStep } from "#lib/threads/transform/run-transform-step.ts";
import { EarlierSteps, type StepDraftInput } from "./step-draft.ts";
import { type ShownResult, showResult } from "./step-results.ts";

/** A step as the editor shows it before it runs. Paths are those of the step. */
export type ShownStep = {
  /** The error code if the step can't run; null if it can. */
  readonly code: string | null;
  readonly errors: readonly FieldError[];
  /** The request of a call. */
  readonly request: ShownRequest | null;
  /** The value of each template field, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  /** The step's own condition. */
  readonly when: FilterVerdict | null;
  /** The list of a step with `forEach`, and which item is shown. */
  readonly items: { readonly count: number; readonly index: number } | null;
  /** The value of a transform, the event to publish, or the length of a delay in ms. */
  readonly value: string | null;
  /** The result of a transform that later steps see. */
  readonly result: ShownResult | null;
};

const done: StepEnd = { kind: "done" };

/**
 * Shows what a step would do, without any effect on the outside. Transforms before it run again. If
 * a condition doesn't match or an earlier step fails, the preview shows that, and what would happen if not.
 */
export class PreviewDriver implements StepDriver {
  readonly #context: ServiceParts;
  readonly #draft: DraftContext;
  readonly #input: StepDraftInput;
  readonly #earlier: EarlierSteps;
  #shown: ShownStep = {
    code: null,
    errors: [],
    request: null,
    resolved: {},
    when: null,
    items: null,
    value: null,
    result: null,
  };
  /** The call of the step, once it is prepared. */
  call: PreparedDraftCall | null = null;

  constructor(context: ServiceParts, draft: DraftContext, input: StepDraftInput) {
    this.#context = context;
    this.#draft = draft;
    this.#input = input;
    this.#earlier = new EarlierSteps(input);
  }

  /** @param last results of the action's last run on the delivery, by the keys they had then */
  async preview(last: Readonly<Record<string, JsonValue>>): Promise<ShownStep> {
    await this.#earlier.walk(this, last);
    const { stop } = this.#earlier;
    if (stop !== null) this.#show({ code: "step_failed", errors: [stop] });
    await walkStep(this.#input.step, this);
    return this.#shown;
  }

  findStop(): null {
    return null;
  }

  async find(): Promise<null> {
    return null;
  }

  /** One item is shown. An empty list shows the step without a value. */
  chooseItems(_step: AnyStep, list: readonly JsonValue[]) {
    const count = list.length;
    const index = Math.min(this.#input.itemIndex, Math.max(0, count - 1));
    this.#show({ items: { count, index } });
    return { items: [{ value: list[index] ?? null, index }], parallel: 1 };
  }

  async prepareRequest(run: StepRun, request: CallRequest): Promise<Prepared<OutgoingRequest>> {
    const { when } = run;
    const { formerKey } = this.#input;
    const draft = { request, filter: when, formerKey, names: this.#namesOf(run) };
    const prepared = await prepareDraft(this.#context, this.#draft, draft, `test_${newId()}`);
    if (!prepared.ok) return toFailure("template_invalid", prepared.errors);
    this.call = prepared;
    const { secrets, call } = prepared;
    const resolved = prepared.resolved.map(({ path, text }) => [
      `request.${path}`,
      redactText(text, secrets),
    ]);
    this.#show({
      when: when === null ? null : prepared.verdict,
      resolved: Object.fromEntries(resolved),
      request: call.request === undefined ? null : showStart(call.request, secrets),
    });
    return call.ok
      ? { kind: "ready", value: call.request }
      : toFailure(call.code, call.errors.map(atWhen));
  }

  async prepareValue(run: StepRun, value: JsonValue, at: string): Promise<Prepared<string>> {
    const { hook, delivery } = this.#draft;
    const { when, step } = run;
    const input = {
      delivery,
      hook: toHookView(hook),
      filter: when,
      need: { kind: "value", value, at },
      names: this.#namesOf(run),
      nowMs: Date.now(),
      builds: "always",
    } as const;
    const actionChars = JSON.stringify({ value, when }).length;
    const work = { accountId: hook.accountId, actionChars };
    const { verdict, built } = await prepareBounded(webThreads(), input, work);
    const isShown = this.#isShown(run);
    if (!isShown && !verdict.matches) return { kind: "skip", message: verdict.because };
    if (isShown && when !== null) this.#show({ when: verdict });
    if (built?.ok !== true) return notBuilt(built);
    const isList = run.item === null && step.forEach !== null;
    if (isShown && step.kind === "publish" && !isList)
      this.#show({ value: built.made.slice(0, maxChars) });
    return { kind: "ready", value: built.made };
  }

  async perform(run: StepRun, effect: StepEffect): Promise<StepEnd> {
    switch (effect.kind) {
      case "call":
        return done;
      case "publish": {
        const { event } = effect;
        const { finding } = await checkEvent(this.#context, this.#draft.hook.accountId, event);
        const broken = findMismatched(finding);
        return broken === null ? done : this.end(run, toUnpublished(event.type, broken));
      }
      case "delay": {
        const read = readDelay(effect, Date.now());
        if (!read.ok) return this.end(run, { ...read, state: "failed" });
        this.#show({ value: String(read.delayMs) });
        return done;
      }
      case "transform": {
        const { hook, delivery } = this.#draft;
        const outcome = await runTransformStep(webThreads(), {
          code: effect.code,
          accountId: hook.accountId,
          hook: toHookView(hook),
          delivery,
          names: this.#namesOf(run),
          seed: run.step.key,
        });
        return this.end(run, outcome);
      }
      default:
        return effect satisfies never;
    }
  }

  /** The first failure is shown: that of a list follows from it. */
  async end(run: StepRun, outcome: StepOutcome): Promise<StepEnd> {
    if (!this.#isShown(run)) return this.#earlier.add(run, outcome);
    const { key, kind } = run.step;
    if (outcome.state === "failed" && this.#shown.code === null)
      this.#show({ code: outcome.code, errors: outcome.errors });
    if (kind === "transform") this.#show({ result: showResult(key, toStepResult(outcome)) });
    if (kind === "transform" && outcome.state === "succeeded")
      this.#show({ value: write(outcome.value) });
    return done;
  }

  #isShown({ step }: StepRun): boolean {
    return step === this.#input.step;
  }

  #namesOf({ item }: StepRun): StepNames {
    const steps = this.#earlier.results;
    return item === null ? { steps } : { steps, item: item.value, index: item.index };
  }

  #show(change: Partial<ShownStep>): void {
    this.#shown = { ...this.#shown, ...change };
  }
}

function notBuilt(built: NotBuilt | null): Prepared<never> {
  return toFailure(built?.code ?? "internal", toFieldErrors(built?.errors ?? []).map(atWhen));
}

function toFailure(code: string, errors: readonly FieldError[]): Prepared<never> {
  return { kind: "fail", code, message: errors[0]?.message ?? "", errors };
}

/** The condition of the step is the filter of its call. */
function atWhen(error: FieldError): FieldError {
  return error.path === "filter" ? { ...error, path: "when" } : error;
}

/** The outcome of a step whose event may not be published. */
function toUnpublished(type: string, broken: WhyUnpublished): StepOutcome {
  const { code, message } = broken;
  const error = { path: "data", code: "schema_mismatch", message } as const;
  return { state: "failed", code, message: describeUnpublished(type, broken), errors: [error] };
}

/** The limit of what a page shows. */
const maxChars = 20_001;

function write(value: JsonValue): string {
  const written = stringifyExactJson(value);
  return written.ok ? written.text.slice(0, maxChars) : "";
}
