import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  type DeliveryView,
  toDistinctHeaders,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { openActionAuth } from "#lib/core/sending/credential/action-auth.ts";
import { openSaved } from "#lib/core/sending/credential/open-saved.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { readSavedRows } from "#lib/db/credentials/read-saved.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { type PreviewInput, previewSchema } from "#lib/schema/act/preview.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import {
  type ActionPreview,
  buildPreview,
  readStoredDelivery,
} from "#lib/services/actions/build-preview.ts";
import type { StepPlace } from "#lib/services/actions/preview-draft.ts";
import { type DraftCall, sendDraft } from "#lib/services/actions/send-draft.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import {
  prepareStep,
  previewSavedStep,
  previewStep,
  type SavedStepPreview,
} from "./preview-step.ts";
import { type StepDraftInput, stepDraftSchema } from "./step-draft.ts";
import { type ShownResult, showResult } from "./step-results.ts";

/** The request that an action would send, or why it would send none. */
export const previewAction = service({
  permission: "hooks:read",
  input: previewSchema.safeExtend({ id: recordId }),
  run: async (context, { id, ...input }) => {
    // The preview shows what the delivery contains.
    if (input.deliveryId !== undefined) authorize(context.actor, "deliveries:read");
    return await buildActionPreview(context, context.actor.accountId, id, input);
  },
});

/** A step of the editor, and the delivery to try it on. */
const draftInput = stepDraftSchema.extend({
  hookId: recordId,
  /** Null: the action isn't saved yet. */
  actionId: recordId.nullable(),
  deliveryId: recordId,
});

/** Shows what a step of the editor would do for a delivery. Sends nothing. */
export const previewDraftStep = service({
  permission: "deliveries:read",
  input: draftInput,
  run: async (context, { hookId, actionId, deliveryId, ...step }) => {
    const place = { hookId, actionId, deliveryId };
    return await previewStep(context, context.actor.accountId, place, step);
  },
});

/** Makes the call of a step of the editor once. */
export const runDraftStep = service({
  permission: "hooks:write",
  input: draftInput,
  run: async (context, { hookId, actionId, deliveryId, ...step }) => {
    authorize(context.actor, "deliveries:read");
    const place = { hookId, actionId, deliveryId };
    return await runStep(context, context.actor.accountId, place, step);
  },
});

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

/**
 * The request that the action would send for a delivery, or why not. Uses the worker's pure
 * functions, and sends nothing. Credentials are redacted.
 */
async function buildActionPreview(
  context: ServiceParts,
  accountId: string,
  actionId: string,
  input: PreviewInput,
): Promise<ActionPreview | SavedStepPreview> {
  const { db, sealer } = context;
  const action = await getAction(db, accountId, actionId);
  const { request, filter } = action;
  const hook = await getHook(db, accountId, action.hookId);
  const delivery =
    input.deliveryId === undefined
      ? madeUpDelivery(input, hook)
      : await readStoredDelivery(context, accountId, input.deliveryId);
  if (request === null) return previewSavedStep(context, { hook, saved: action, delivery }, input);
  if (input.step !== undefined)
    throw invalidField("step", "can't be chosen: the action has no steps", "conflict");
  const auth = openActionAuth(sealer, action);
  const credential = openSaved(
    sealer,
    accountId,
    await readSavedRows(db, accountId, request),
    request,
    auth !== null,
  );
  return buildPreview(context, { action: { request, filter }, hook, delivery, auth, credential });
}

/** A delivery that arrives now, with the payload as its body. */
function madeUpDelivery({ payload, headers = {} }: PreviewInput, hook: HookRecord): DeliveryView {
  const written = stringifyExactJson(payload);
  if (!written.ok) throw new AppError("invalid_request", `payload: ${written.message}.`);
  const body = Buffer.from(written.text);
  const pairs = Object.entries(headers);
  const contentType = "application/json";
  const method = hook.methods[0] ?? "POST";
  const arrived = {
    headers: toDistinctHeaders(pairs),
    body,
    payload: readPayload(body, contentType),
    method,
  };
  return {
    id: newId(),
    receivedAtMs: Date.now(),
    method,
    path: "",
    query: "",
    headers: pairs.filter(([name]) => name.toLowerCase() !== "content-encoding"),
    contentType,
    eventId: identifyEvent(listSources(hook.dedupe), arrived).eventId,
    eventType: readEventType(listSources(hook.eventType), arrived),
    isSample: false,
    body,
  };
}
