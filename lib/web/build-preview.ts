import { checkUrl } from "#lib/core/address/check-url.ts";
import { buildRequest } from "#lib/core/build-request/build-request.ts";
import { type DeliveryView, readDeliveryContext } from "#lib/core/delivery-context.ts";
import { evaluateFilter, type FilterVerdict } from "#lib/core/filter/evaluate-filter.ts";
import type { OutgoingRequest } from "#lib/core/http-types.ts";
import { listAuthSecrets } from "#lib/core/redact/auth-secrets.ts";
import { redactHeaders, redactUrl } from "#lib/core/redact/redact-request.ts";
import { redactText } from "#lib/core/redact/redact-text.ts";
import { getDelivery } from "#lib/db/deliveries.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import type { FieldError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { ActionInput, ActionRequestTemplate, RequestAuth } from "#lib/schema/action.ts";
import packageJson from "../../package.json" with { type: "json" };
import { showHeaders } from "./api/show-headers.ts";
import { isCredentialHeader } from "./hide-credential.ts";
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

/** What of an action decides its call. */
type Call = { readonly request: ActionRequestTemplate; readonly filter: ActionInput["filter"] };

type BuildInput = {
  readonly action: Call;
  readonly hook: HookRecord;
  readonly delivery: DeliveryView;
  readonly auth: RequestAuth | null;
};

/** Everything between an action and its call. `secrets` must not be in anything that is shown of it. */
export type PreparedCall = {
  readonly verdict: FilterVerdict;
  readonly secrets: readonly string[];
  readonly call:
    | { readonly ok: true; readonly request: OutgoingRequest }
    | {
        readonly ok: false;
        readonly code: string;
        readonly errors: readonly FieldError[];
        /** Built, but its address may not be called. */
        readonly request?: OutgoingRequest;
      };
};

/** The worker's way, through the same pure functions; nothing is sent. */
export async function prepareCall(
  { env }: ServerContext,
  { action, hook, delivery, auth }: BuildInput,
  runId: string,
): Promise<PreparedCall> {
  const context = await readDeliveryContext(delivery, { id: hook.id, name: hook.name });
  const credentials = delivery.headers.filter(([name]) => isCredentialHeader(name)).map(([, value]) => value);
  const prepared = {
    verdict: evaluateFilter(action.filter, context),
    secrets: [...listAuthSecrets(auth), ...credentials],
  };
  const { request } = action;
  const built = buildRequest({
    request,
    auth,
    context,
    runId,
    version: packageJson.version,
    nowMs: Date.now(),
  });
  if (!built.ok) {
    const errors = built.errors.map(({ at, message }) => ({ path: `request.${at}`, message }));
    return { ...prepared, call: { ok: false, code: built.code, errors } };
  }
  const checked = checkUrl(built.request.url, env.egressAllow);
  if (checked.ok) return { ...prepared, call: { ok: true, request: built.request } };
  const errors = [{ path: "request.url", message: checked.message }];
  return { ...prepared, call: { ok: false, code: checked.code, errors, request: built.request } };
}

/** What would be sent, or why nothing would; credentials are redacted. */
export async function buildPreview(context: ServerContext, input: BuildInput): Promise<ActionPreview> {
  const { verdict, secrets, call } = await prepareCall(context, input, newId());
  const request = call.request === undefined ? {} : { request: showRequest(call.request, secrets) };
  if (call.request !== undefined && !verdict.matches) {
    const errors = [{ path: "filter", message: verdict.because }];
    return { ok: false, code: "filter_not_matched", errors, ...request };
  }
  if (!call.ok) return { ok: false, code: call.code, errors: call.errors, ...request };
  return { ok: true, request: showRequest(call.request, secrets) };
}

/** Throws `not_found`. */
export async function readStoredDelivery(
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

export function showRequest(
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
