import { newId } from "#lib/base/ids.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { showHeaders } from "#lib/core/api/http/show-headers.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import { toFieldErrors } from "#lib/core/mapping/build-request/problem-list.ts";
import type { ResolvedTemplate } from "#lib/core/mapping/build-request/resolve-templates.ts";
import type { FilterVerdict } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { listAuthSecrets } from "#lib/core/people/redact/auth-secrets.ts";
import {
  isCredentialHeader,
  redactHeaders,
  redactUrl,
} from "#lib/core/people/redact/redact-request.ts";
import { redactBytes, redactionMark, redactText } from "#lib/core/people/redact/redact-text.ts";
import { checkUrl, toFieldCode } from "#lib/core/sending/address/check-url.ts";
import {
  listAddedHeaders,
  listCredentialSecrets,
  type SavedCredential,
  toRequestAuth,
} from "#lib/core/sending/credential/saved-credential.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import type { ActionInput } from "#lib/schema/act/action.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import packageJson from "../../../package.json" with { type: "json" };

export type ActionPreview =
  | { readonly ok: true; readonly request: ShownRequest }
  | {
      readonly ok: false;
      readonly code: string;
      readonly errors: readonly FieldError[];
      /** The request is built even if the filter doesn't match or the address isn't allowed. */
      readonly request?: ShownRequest;
    };

export type ShownRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly body: string | null;
  /** `base64` if the bytes aren't UTF-8. */
  readonly bodyEncoding: "utf8" | "base64";
};

/** The parts of an action that determine its call. */
type Call = { readonly request: ActionRequestTemplate; readonly filter: ActionInput["filter"] };

type BuildInput = {
  readonly action: Call;
  readonly hook: HookRecord;
  readonly delivery: DeliveryView;
  readonly auth: RequestAuth | null;
  /** The saved credential, which takes precedence over `auth`. */
  readonly credential?: SavedCredential | null | undefined;
  /** The names that a step's templates can use. */
  readonly names?: StepNames | undefined;
};

/** Everything between an action and its call. Whatever is shown must not contain `secrets`. */
export type PreparedCall = {
  readonly verdict: FilterVerdict;
  readonly secrets: readonly string[];
  /** The value of each template, by path below `request`. */
  readonly resolved: readonly ResolvedTemplate[];
  readonly call:
    | { readonly ok: true; readonly request: OutgoingRequest }
    | {
        readonly ok: false;
        readonly code: string;
        readonly errors: readonly FieldError[];
        /** The request is built even if its address isn't allowed. */
        readonly request?: OutgoingRequest;
      };
};

/** Prepares the call with the worker's pure functions. Sends nothing. */
export async function prepareCall(
  { env }: ServiceParts,
  { action, hook, delivery, auth: own, credential = null, names }: BuildInput,
  runId: string,
): Promise<PreparedCall> {
  const credentials = delivery.headers
    .filter(([name]) => isCredentialHeader(name))
    .map(([, value]) => value);
  const { request, filter } = action;
  const auth = credential === null ? own : toRequestAuth(credential.auth);
  const { version } = packageJson;
  const input = {
    delivery,
    hook: toHookView(hook),
    filter,
    need: { kind: "request", request, auth, runId, version },
    ...(names !== undefined && { names }),
    nowMs: Date.now(),
    builds: "always",
  } as const;
  const actionChars = JSON.stringify({ request, filter }).length;
  const { verdict, built, resolved } = await prepareBounded(webThreads(), input, {
    accountId: hook.accountId,
    actionChars,
  });
  const ownSecrets =
    credential === null ? listAuthSecrets(own) : listCredentialSecrets(credential.auth);
  const prepared = { verdict, secrets: [...ownSecrets, ...credentials], resolved };
  if (built?.ok !== true) {
    const errors = toFieldErrors(built?.errors ?? []).map(toActionPath);
    return { ...prepared, call: { ok: false, code: built?.code ?? "internal", errors } };
  }
  const ready = withAddedHeaders(built.made, credential);
  const checked = checkUrl(ready.url, env.egressAllow);
  if (checked.ok) return { ...prepared, call: { ok: true, request: ready } };
  const errors = [
    { path: "request.url", code: toFieldCode(checked.code), message: checked.message },
  ] as const;
  return { ...prepared, call: { ok: false, code: checked.code, errors, request: ready } };
}

/** A preview names the headers that only the call has values for. The call replaces them. */
function withAddedHeaders(
  request: OutgoingRequest,
  credential: SavedCredential | null,
): OutgoingRequest {
  const names = credential === null ? [] : listAddedHeaders(credential.auth);
  const added = names.map((name) => [name, redactionMark] as const);
  return added.length === 0 ? request : { ...request, headers: [...request.headers, ...added] };
}

/** Paths in an action's input: the filter is beside the request. */
function toActionPath(error: FieldError): FieldError {
  if (error.path === "filter") return error;
  return { ...error, path: error.path === "" ? "request" : `request.${error.path}` };
}

/** Returns the request that would be sent, or why none would be. Credentials are redacted. */
export async function buildPreview(
  context: ServiceParts,
  input: BuildInput,
): Promise<ActionPreview> {
  const { verdict, secrets, call } = await prepareCall(context, input, newId());
  const request = call.request === undefined ? {} : { request: showRequest(call.request, secrets) };
  if (call.request !== undefined && !verdict.matches) {
    const errors = [{ path: "filter", code: "invalid_value", message: verdict.because }] as const;
    return { ok: false, code: "filter_not_matched", errors, ...request };
  }
  if (!call.ok) return { ok: false, code: call.code, errors: call.errors, ...request };
  return { ok: true, request: showRequest(call.request, secrets) };
}

/** Returns a delivery as templates and filters read it. Throws `not_found`. */
export async function readStoredDelivery(
  { db }: ServiceParts,
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
    ...showBody(body, secrets),
  };
}

function showBody(
  bytes: Uint8Array | null,
  secrets: readonly string[],
): Pick<ShownRequest, "body" | "bodyEncoding"> {
  if (bytes === null) return { body: null, bodyEncoding: "utf8" };
  const text = readUtf8(bytes);
  if (text !== null) return { body: redactText(text, secrets), bodyEncoding: "utf8" };
  return {
    body: Buffer.from(redactBytes(bytes, secrets)).toString("base64"),
    bodyEncoding: "base64",
  };
}
