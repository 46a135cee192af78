import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import {
  type DeliveryView,
  toDistinctHeaders,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { openActionAuth } from "#lib/core/sending/credential/action-auth.ts";
import { openSaved } from "#lib/core/sending/credential/open-saved.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import { readSavedRows } from "#lib/db/credentials/read-saved.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { PreviewInput } from "#lib/schema/act/preview.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import {
  type ActionPreview,
  buildPreview,
  readStoredDelivery,
} from "#lib/services/actions/build-preview.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { previewSavedStep, type SavedStepPreview } from "./preview-saved-step.ts";

/**
 * The request that the action would send for a delivery, or why not. Uses the worker's pure
 * functions, and sends nothing. Credentials are redacted.
 */
export async function previewAction(
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
