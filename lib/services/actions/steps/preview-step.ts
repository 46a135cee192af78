import { AppError, invalidField } from "#lib/base/errors.ts";
import type { FilterVerdict } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { PreviewInput } from "#lib/schema/act/preview.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { type ActionStep, listSteps, type PlacedStep } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { ShownRequest } from "#lib/services/actions/build-preview.ts";
import {
  type DraftContext,
  type PreparedDraftCall,
  readDraftContext,
  type StepPlace,
} from "#lib/services/actions/preview-draft.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import { PreviewDriver, type ShownStep } from "./preview-driver.ts";
import type { EarlierStep, StepDraftInput } from "./step-draft.ts";
import { readStepResults, type StepResults } from "./step-results.ts";

type StepPreview = ShownStep & {
  /** The action's own filter. */
  readonly verdict: FilterVerdict;
};

type PreviewedStep = {
  readonly preview: StepPreview;
  /** The call with its credentials. Null: the step makes none, or its templates are invalid. */
  readonly call: PreparedDraftCall | null;
};

/**
 * Shows what a step would do for a stored delivery, with the functions that a run uses. Sends
 * nothing. Transforms run, because they reach nothing.
 */
export async function previewStep(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  input: StepDraftInput,
): Promise<StepPreview> {
  return (await prepareStep(context, accountId, place, input)).preview;
}

/** The preview of a step, together with its call. */
export async function prepareStep(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  input: StepDraftInput,
): Promise<PreviewedStep> {
  const { actionId, deliveryId } = place;
  const draft = await readDraftContext(context, accountId, place);
  return await previewOn(context, draft, input, async () =>
    actionId === null ? null : readStepResults(context, accountId, actionId, deliveryId),
  );
}

/**
 * Previews a step for a delivery that is read already.
 *
 * @param readLast reads the results of the action's last run on the delivery
 */
async function previewOn(
  context: ServiceParts,
  draft: DraftContext,
  input: StepDraftInput,
  readLast: () => Promise<StepResults | null>,
): Promise<PreviewedStep> {
  const verdict = await evaluateFilter(draft, input.filter);
  const isStored = input.earlier.some(
    ({ given, kind }) => given === undefined && kind !== "transform",
  );
  const last = isStored ? await readLast() : null;
  const driver = new PreviewDriver(context, draft, input);
  const shown = await driver.preview(last?.results ?? {});
  return { preview: { ...shown, verdict }, call: driver.call };
}

async function evaluateFilter(
  { hook, delivery }: DraftContext,
  filter: StepDraftInput["filter"],
): Promise<FilterVerdict> {
  const need = { kind: "nothing" } as const;
  const nowMs = delivery.receivedAtMs;
  const of = { delivery, hook: toHookView(hook) };
  const input = { ...of, filter, need, nowMs, builds: "always" } as const;
  const work = { accountId: hook.accountId, actionChars: JSON.stringify(filter).length };
  return (await prepareBounded(webThreads(), input, work)).verdict;
}

/** The request of a call, or the value of another step as JSON text. */
export type SavedStepPreview = {
  readonly ok: boolean;
  readonly code?: string;
  readonly errors?: readonly FieldError[];
  readonly request?: ShownRequest;
  readonly value?: string;
};

/**
 * Shows what a step of a saved action would do for a delivery. Transforms before it are computed.
 * Other steps have their results from the action's last run on the delivery.
 */
export async function previewSavedStep(
  context: ServiceParts,
  draft: DraftContext,
  { step: key, item = 0, deliveryId }: PreviewInput,
): Promise<SavedStepPreview> {
  const { saved, hook } = draft;
  const steps = saved?.steps ?? [];
  if (saved === null || key === undefined) throw chooseStep(steps);
  const readLast = async () =>
    deliveryId === undefined
      ? null
      : readStepResults(context, hook.accountId, saved.id, deliveryId);
  const work = { steps, filter: saved.filter, timeoutMs: saved.timeoutMs };
  const { shown, path } = await previewOfSteps(context, draft, { ...work, key, item }, readLast);
  return show(shown, path);
}

function chooseStep(steps: readonly ActionStep[]): AppError {
  const detail = `This action has several steps. Choose one, such as {"step": "${steps[0]?.key ?? ""}"}.`;
  return new AppError("conflict", detail);
}

type OfSteps = {
  readonly steps: readonly ActionStep[];
  readonly filter: StepDraftInput["filter"];
  readonly timeoutMs: number;
  readonly key: string;
  readonly item: number;
};

async function previewOfSteps(
  context: ServiceParts,
  draft: DraftContext,
  { steps, filter, timeoutMs, key, item }: OfSteps,
  readLast: () => Promise<StepResults | null>,
): Promise<{ readonly shown: StepPreview; readonly path: string }> {
  const placed = listSteps(steps);
  const found = placed.find(({ step }) => step.key === key);
  if (found === undefined) throw invalidField("step", `there is no step ${key}`);
  const input = {
    filter,
    step: { ...found.step, onFailure: "stop" } as ActionStep,
    formerKey: key,
    timeoutMs,
    itemIndex: item,
    branchOf: found.path.length > 1 ? (steps[Number(found.path[0])]?.key ?? null) : null,
    earlier: [...listEarlier(placed, found)],
  };
  const { preview } = await previewOn(context, draft, input, readLast);
  return { shown: preview, path: ["steps", ...found.path].join(".") };
}

/** What an action would do after a change that isn't saved. */
export type ChangedWork = {
  readonly filter: StepDraftInput["filter"];
  readonly request: ActionRequestTemplate | null;
  readonly steps: readonly ActionStep[] | null;
  readonly timeoutMs: number;
  /** The key of the step to show, if it has several. */
  readonly key: string | undefined;
  readonly item: number;
};

/** Shows what an action would do for a stored delivery after a change: its call, or one of its steps. */
export async function previewChange(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  { request, steps, key, ...work }: ChangedWork,
): Promise<SavedStepPreview> {
  const draft = await readDraftContext(context, accountId, place);
  const { actionId, deliveryId } = place;
  const readLast = async () =>
    actionId === null ? null : readStepResults(context, accountId, actionId, deliveryId);
  if (request === null) {
    if (key === undefined) throw chooseStep(steps ?? []);
    const of = { ...work, steps: steps ?? [], key };
    const { shown, path } = await previewOfSteps(context, draft, of, readLast);
    return show(shown, path);
  }
  const call = { key: onlyCallKey, kind: "call", request, when: null, forEach: null } as const;
  const plain = { timeoutMs: null, retry: null, success: null, onUnknown: null } as const;
  const step = { ...call, ...plain, onFailure: "stop" } as ActionStep;
  const input = {
    ...work,
    step,
    formerKey: onlyCallKey,
    itemIndex: 0,
    branchOf: null,
    earlier: [],
  };
  const { preview } = await previewOn(context, draft, input, readLast);
  return show(preview, null);
}

/** Steps of a branch come after the one whose failure they handle, and before the next. */
function listEarlier(placed: readonly PlacedStep[], found: PlacedStep): readonly EarlierStep[] {
  const [top] = found.path;
  const isBefore = ({ path }: PlacedStep) => path[0] !== top || found.path.length > 1;
  const keyOf = (at: PropertyKey | undefined) =>
    placed.find(({ path }) => path.length === 1 && path[0] === at)?.step.key ?? null;
  return placed
    .slice(0, placed.indexOf(found))
    .filter(isBefore)
    .map(({ step, path }) => ({
      key: step.key,
      formerKey: step.key,
      kind: step.kind,
      when: step.when,
      hasItems: step.forEach !== null,
      onFailure: readOnFailure(step),
      branchOf: path.length > 1 ? keyOf(path[0]) : null,
      ...(step.kind === "transform" && { code: step.code }),
    }));
}

function readOnFailure({ onFailure }: PlacedStep["step"]): EarlierStep["onFailure"] {
  return typeof onFailure === "string" ? onFailure : "steps";
}

/** @param path the step's in the action. Null: the action's only call */
function show(preview: StepPreview, path: string | null): SavedStepPreview {
  const { verdict, when, request, value } = preview;
  const shown = { ...(request !== null && { request }), ...(value !== null && { value }) };
  if (!verdict.matches) return skip("filter_not_matched", "filter", verdict.because, shown);
  if (when?.matches === false)
    return skip("when_not_matched", below(path, "when"), when.because, shown);
  if (preview.code === null) return { ok: true, ...shown };
  const errors = preview.errors.map((error) =>
    preview.code === "step_failed" ? error : { ...error, path: below(path, error.path) },
  );
  return { ok: false, code: preview.code, errors, ...shown };
}

function below(path: string | null, field: string): string {
  return path === null ? field : `${path}.${field}`;
}

function skip(code: string, path: string, message: string, shown: object): SavedStepPreview {
  return { ok: false, code, errors: [{ path, code: "invalid_value", message }], ...shown };
}
