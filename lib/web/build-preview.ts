import { checkUrl } from "#lib/core/address/check-url.ts";
import { buildRequest } from "#lib/core/build-request/build-request.ts";
import { type DeliveryView, readDeliveryContext } from "#lib/core/delivery-context.ts";
import { evaluateFilter } from "#lib/core/filter/evaluate-filter.ts";
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

/** The worker's way, through the same pure functions; credentials are redacted and nothing is sent. */
export async function buildPreview(
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
