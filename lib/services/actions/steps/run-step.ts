import { AppError, invalidField } from "#lib/base/errors.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { type DraftCall, sendDraft } from "#lib/services/actions/send-draft.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import type { StepPlace } from "../preview-draft.ts";
import { prepareStep } from "./preview-step.ts";
import { type ShownResult, showResult } from "./show-result.ts";
import type { StepDraftInput } from "./step-draft-input.ts";

/** A call that was made, and what later steps see of it. */
type StepCall = DraftCall & { readonly result: ShownResult };

/**
 * Makes the call of a step once, with the results of earlier steps that the editor has. Throws
 * `invalid_request` with the fields to fix if nothing can be sent.
 */
export async function runStep(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  input: StepDraftInput,
): Promise<StepCall> {
  const { step } = input;
  if (step.kind !== "call") throw invalidField("kind", "must be call: only a call is sent");
  const { preview, call: prepared } = await prepareStep(context, accountId, place, input);
  const { errors, verdict } = preview;
  if (prepared?.call.ok !== true)
    throw new AppError("invalid_request", "Nothing was sent. Fix the marked fields first.", {
      errors,
    });
  const call = await sendDraft(context, prepared, prepared.call.request, {
    accountId,
    hookId: place.hookId,
    timeoutMs: step.timeoutMs ?? input.timeoutMs,
    skippedBecause: verdict.matches ? null : verdict.because,
  });
  const parsed = parseExactJson(call.resultJson);
  return { ...call, result: showResult(step.key, parsed.ok ? parsed.value : null) };
}
