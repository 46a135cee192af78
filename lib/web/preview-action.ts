import { checkUrl } from "#lib/core/address/check-url.ts";
import { buildRequest } from "#lib/core/build-request/build-request.ts";
import { identifyEvent, readEventType } from "#lib/core/dedupe/identify-event.ts";
import { type DeliveryView, readDeliveryContext, toDistinctHeaders } from "#lib/core/delivery-context.ts";
import { evaluateFilter } from "#lib/core/filter/evaluate-filter.ts";
import type { OutgoingRequest } from "#lib/core/http-types.ts";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { readPayload } from "#lib/core/payload/read-payload.ts";
import { listAuthSecrets } from "#lib/core/redact/auth-secrets.ts";
import { redactHeaders, redactUrl } from "#lib/core/redact/redact-request.ts";
import { redactText } from "#lib/core/redact/redact-text.ts";
import { type ActionRecord, openActionAuth } from "#lib/db/action-record.ts";
import { getAction } from "#lib/db/actions.ts";
import { getDelivery } from "#lib/db/deliveries.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { getHook } from "#lib/db/hooks.ts";
import { AppError, type FieldError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { RequestAuth } from "#lib/schema/action.ts";
import { listSources } from "#lib/schema/hook.ts";
import type { PreviewInput } from "#lib/schema/preview.ts";
import packageJson from "../../package.json" with { type: "json" };
import { showHeaders } from "./api/show-headers.ts";
import type { ServerContext } from "./server-context.ts";

export type ActionPreview =
  | { readonly ok: true; readonly request: ShownRequest }
  | {
      readonly ok: false;
      readonly code: string;
      readonly errors: readonly FieldError[];
      /** What could be built all the same: the filter does not match, or the address may not be called. */
      readonly request?: ShownRequest;
    };

export type ShownRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly body: string | null;
};

/**
 * The request that the action would send for a delivery, or why there would be none. It goes the worker's way, through the same pure
 * functions, and sends nothing. Credentials are redacted.
 */
export async function previewAction(
  context: ServerContext,
  accountId: string,
  actionId: string,
  input: PreviewInput,
): Promise<ActionPreview> {
  const { db, sealer } = context;
  const action = await getAction(db, accountId, actionId);
  const hook = await getHook(db, accountId, action.hookId);
  const delivery =
    input.deliveryId === undefined
      ? madeUpDelivery(input, hook)
      : await storedDelivery(context, accountId, input.deliveryId);
  const auth = openActionAuth(sealer, action);
  return build(context, { action, hook, delivery, auth });
}

type BuildInput = {
  readonly action: ActionRecord;
  readonly hook: HookRecord;
  readonly delivery: DeliveryView;
  readonly auth: RequestAuth | null;
};

async function build(
  { env }: ServerContext,
  { action, hook, delivery, auth }: BuildInput,
): Promise<ActionPreview> {
  const mapping = await readDeliveryContext(delivery, { id: hook.id, name: hook.name });
  const built = buildRequest({
    request: action.request,
    auth,
    context: mapping,
    runId: newId(),
    version: packageJson.version,
    nowMs: Date.now(),
  });
  if (!built.ok) {
    const errors = built.errors.map(({ at, message }) => ({ path: `request.${at}`, message }));
    return { ok: false, code: built.code, errors };
  }
  const request = showRequest(built.request, listAuthSecrets(auth));
  const verdict = evaluateFilter(action.filter, mapping);
  if (!verdict.matches) {
    const errors = [{ path: "filter", message: verdict.because }];
    return { ok: false, code: "filter_not_matched", errors, request };
  }
  const checked = checkUrl(built.request.url, env.egressAllow);
  if (!checked.ok) {
    return {
      ok: false,
      code: checked.code,
      errors: [{ path: "request.url", message: checked.message }],
      request,
    };
  }
  return { ok: true, request };
}

/** As if it arrived now, with the payload as its body. */
function madeUpDelivery({ payload, headers = {} }: PreviewInput, hook: HookRecord): DeliveryView {
  const written = stringifyExactJson(payload);
  if (!written.ok) throw new AppError("invalid_request", `payload: ${written.message}.`);
  const body = Buffer.from(written.text);
  const pairs = Object.entries(headers);
  const contentType = "application/json";
  const arrived = { headers: toDistinctHeaders(pairs), body, payload: readPayload(body, contentType) };
  return {
    id: newId(),
    receivedAtMs: Date.now(),
    method: hook.methods[0] ?? "POST",
    path: "",
    query: "",
    headers: pairs.filter(([name]) => name.toLowerCase() !== "content-encoding"),
    contentType,
    eventId: identifyEvent(listSources(hook.dedupe), arrived).eventId,
    eventType: readEventType(listSources(hook.eventType), arrived),
    body,
  };
}

async function storedDelivery(
  { db }: ServerContext,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  const delivery = await getDelivery(db, accountId, deliveryId);
  return {
    ...delivery,
    receivedAtMs: delivery.receivedAt.getTime(),
    headers: JSON.parse(delivery.headersJson),
  };
}

function showRequest(
  { method, url, headers, body }: OutgoingRequest,
  secrets: readonly string[],
): ShownRequest {
  return {
    method,
    url: redactUrl(url, secrets),
    ...showHeaders(redactHeaders(headers, secrets)),
    body:
      body === null ? null : redactText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body), secrets),
  };
}
