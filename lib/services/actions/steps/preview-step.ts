import type { FilterVerdict } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
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
import { readStepResults, type StepResults } from "./read-step-results.ts";
import type { StepDraftInput } from "./step-draft-input.ts";

export type StepPreview = ShownStep & {
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
export async function previewOn(
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
