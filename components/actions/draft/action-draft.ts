import type { ReadForm } from "#components/ui/form/send-json.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import {
  type ActionOptionName,
  type ActionOptions,
  mapOptions,
} from "#lib/schema/act/action-options.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { defaultRetryPolicy, type RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { ActionStep } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";
import {
  type ControlDraft,
  noControl,
  readControlDraft,
  type SavedControl,
  toControlDraft,
} from "./control-draft.ts";
import { type FilterDraft, noFilter, readFilterDraft, toFilterDraft } from "./filter-draft.ts";
import { noRate, type RateDraft, readRateDraft, toRateDraft } from "./rate-draft.ts";
import { readRequestDraft, toRequestDraft } from "./request-draft.ts";
import { type RetryDraft, readRetryDraft, toRetryDraft } from "./retry-draft.ts";
import { newStep, readStepDraft, type StepDraft, toStepDrafts } from "./step-draft.ts";

/** An action as text fields, before parsing. */
export type ActionDraft = {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty: the last position. */
  readonly position: string;
  readonly filter: FilterDraft;
  /** At least one step. A single plain call is saved as `request`. */
  readonly steps: readonly StepDraft[];
  readonly retry: RetryDraft;
  readonly options: OptionTexts;
  readonly control: ControlDraft;
} & RateDraft;

type OptionTexts = Readonly<Record<ActionOptionName, string>>;

export const newDraft: ActionDraft = {
  name: "",
  enabled: true,
  position: "",
  filter: noFilter,
  steps: [newStep("call", { id: 0, key: onlyCallKey })],
  retry: toRetryDraft(defaultRetryPolicy),
  options: mapOptions((_name, option) => writeOption(option.default, option.scale)),
  control: noControl,
  ...noRate,
};

type SavedAction = {
  readonly name: string;
  readonly enabled: boolean;
  readonly position: number;
  readonly request: ActionRequestTemplate | null;
  readonly steps: readonly ActionStep[] | null;
  readonly filter: ActionFilter | null;
  readonly retry: RetryPolicy;
  readonly rateLimit: RateLimit | null;
} & SavedControl &
  ActionOptions;

/**
 * A saved action as a draft. Credentials are write-only: they are kept unless typed again.
 *
 * @param withAuth keys of the steps that have credentials
 */
export function toDraft(saved: SavedAction, withAuth: ReadonlySet<string>): ActionDraft {
  const { request, steps } = saved;
  return {
    ...newDraft,
    name: saved.name,
    enabled: saved.enabled,
    position: String(saved.position),
    filter: toFilterDraft(saved.filter),
    steps:
      request === null
        ? toStepDrafts(steps ?? [], withAuth)
        : [toOneCall(request, withAuth.has(onlyCallKey))],
    retry: toRetryDraft(saved.retry),
    options: mapOptions((option, { scale }) => writeOption(saved[option], scale)),
    control: toControlDraft(saved),
    ...toRateDraft(saved.rateLimit),
  };
}

function toOneCall(request: ActionRequestTemplate, hasAuth: boolean): StepDraft {
  const step = newStep("call", { id: 0, key: onlyCallKey, formerKey: onlyCallKey });
  return { ...step, work: { ...step.work, request: toRequestDraft(request, hasAuth) } };
}

/**
 * True if the action makes one call and uses no feature of steps. Then it is saved as `request`.
 */
export function isOneCall({ steps }: Pick<ActionDraft, "steps">): boolean {
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0) return false;
  const { work } = step;
  if (work.kind !== "call" || step.key !== onlyCallKey) return false;
  const isPlain = step.forEach === null && step.onFailure === "stop";
  const hasOwn =
    work.timeout.trim() !== "" ||
    work.retry !== null ||
    work.onUnknown !== "" ||
    work.success !== null;
  const when = readFilterDraft(step.when);
  return isPlain && !hasOwn && when.ok && when.filter === null;
}

/** The draft as input for the API's `POST /hooks/{id}/actions`, whose schema checks the rest. */
export function readDraft(draft: ActionDraft): ReadForm<Readonly<Record<string, unknown>>> {
  const errors: FieldError[] = [];
  const work = readWork(draft, errors);
  const options = readOptions(draft.options, errors);
  const filter = readFilterDraft(draft.filter);
  if (!filter.ok) errors.push(...filter.errors);
  const retry = readRetryDraft(draft.retry);
  if (!retry.ok) errors.push(...retry.errors);
  const control = readControlDraft(draft.control, errors);
  const position = readWhole(draft.position, "position", errors);
  if (errors.length > 0 || !filter.ok || !retry.ok) return { ok: false, errors };
  const { name, enabled } = draft;
  const order = position === null ? {} : { position };
  const input = {
    name,
    enabled,
    ...order,
    filter: filter.filter,
    ...work,
    retry: retry.policy,
    rateLimit: readRateDraft(draft),
    ...control,
  };
  return { ok: true, input: { ...input, ...options } };
}

function readWork(draft: ActionDraft, errors: FieldError[]) {
  const [first] = draft.steps;
  if (isOneCall(draft) && first?.work.kind === "call")
    return { request: readRequestDraft(first.work.request, "request", errors) };
  return { steps: draft.steps.map((step, at) => readStepDraft(step, `steps.${at}`, errors)) };
}

/** Null if empty. */
function writeOption(value: number | null, scale: number): string {
  return value === null ? "" : String(value / scale);
}

function readOptions(texts: OptionTexts, errors: FieldError[]) {
  return mapOptions((name, option) => {
    const text = texts[name].trim();
    if (text === "" && option.default === null) return null;
    const number = Number(text) * option.scale;
    const value = option.scale === 1 ? number : Math.round(number);
    if (text === "" || !Number.isInteger(value) || value < option.min || value > option.max)
      errors.push({ path: name, code: "out_of_range", message: option.invalid });
    return value;
  });
}

function readWhole(text: string, path: string, errors: FieldError[]): number | null {
  if (text.trim() === "") return null;
  if (/^\d{1,6}$/.test(text.trim())) return Number(text);
  errors.push({ path, code: "invalid_type", message: "must be a whole number" });
  return null;
}
