import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { AppError, invalidField } from "#lib/errors.ts";
import { readDraftGround } from "#lib/services/actions/preview-draft.ts";
import { type DraftCall, sendDraft } from "#lib/services/actions/send-draft.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";
import { prepareStep, readLastOf } from "./prepare-step.ts";
import { type ShownResult, showResult } from "./show-result.ts";
import type { StepDraftInput, StepPlace } from "./step-draft-input.ts";

/** A call that was made, and what later steps see of it. */
export type StepRun = DraftCall & { readonly result: ShownResult };

/**
 * Makes the call of a step once, as `sendDraft` does, with the results of earlier steps that the
 * editor has. Throws `invalid_request` with the fields to fix if nothing can be sent.
 */
export async function runStep(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  input: StepDraftInput,
): Promise<StepRun> {
  const { step, formerKey } = input;
  if (step.kind !== "call") throw invalidField("kind", "must be call: only a call is sent");
  const found = await readDraftGround(context, accountId, place);
  const ground = await prepareStep(context, found, input, readLastOf(context, accountId, place));
  if (!ground.ok)
    throw new AppError("invalid_request", "Nothing was sent. Fix the marked fields first.", {
      errors: ground.errors,
    });
  const { names, verdict } = ground;
  const call = await sendDraft(context, accountId, {
    ...place,
    request: step.request,
    filter: step.when,
    step: { formerKey, names },
    timeoutMs: step.timeoutMs ?? input.timeoutMs,
  });
  const parsed = parseExactJson(call.resultJson);
  return {
    ...call,
    skippedBecause: verdict.matches ? call.skippedBecause : verdict.because,
    result: showResult(step.key, parsed.ok ? parsed.value : null),
  };
}
