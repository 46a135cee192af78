import type { Sealer } from "#lib/core/seal/sealer.ts";
import { secretHint } from "#lib/core/secret/secret-hint.ts";
import { openActionAuth, openStepAuths } from "#lib/db/actions/action-auth.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { readKnown } from "#lib/db/actions/action-work.ts";
import { mapOptions } from "#lib/schema/action/action-options.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";
import type { AnyStep } from "#lib/schema/action/steps.ts";
import type { SuccessRule } from "#lib/schema/action/success.ts";
import { exactJson } from "./api-json.ts";

/** An action in the API's responses, with only the kind and a hint of its credentials. */
export function showAction(action: ActionRecord, sealer: Sealer) {
  const { id, hookId, name, enabled, position, filter, retry, success, rateLimit, breaker, order } =
    action;
  const { version, createdAt, updatedAt } = action;
  return {
    id,
    hookId,
    name,
    enabled,
    position,
    filter: exactJson(filter),
    ...showWork(action, sealer),
    retry,
    success: showSuccess(success),
    rateLimit,
    breaker,
    order,
    ...mapOptions((option) => action[option]),
    version,
    createdAt,
    updatedAt,
  };
}

function showSuccess(rule: SuccessRule | null) {
  return rule === null ? null : { ...rule, when: exactJson(rule.when) };
}

type ShownAuth = { readonly type: string; readonly hint: string | null };

/** Of the calls that have credentials: their kind and a hint, by the key of the step. */
export function listShownAuths(
  action: ActionRecord,
  sealer: Sealer,
): Readonly<Record<string, ShownAuth>> {
  const shown: Record<string, ShownAuth> = {};
  for (const [key, { auth, request }] of readKnown(sealer, action, action)) {
    if (auth !== null) shown[key] = { type: auth.type, ...hintOf(auth) };
    else if (request.credentialId !== undefined) shown[key] = { type: "credential", hint: null };
  }
  return shown;
}

function showWork(action: ActionRecord, sealer: Sealer) {
  const { request, steps } = action;
  if (request !== null)
    return { request: showRequest(request, openActionAuth(sealer, action)), steps: null };
  const auths = openStepAuths(sealer, action);
  return { request: null, steps: (steps ?? []).map((step) => showStep(step, auths)) };
}

function showStep(step: AnyStep, auths: ReadonlyMap<string, RequestAuth>): object {
  const { onFailure } = step;
  const branch =
    typeof onFailure === "object"
      ? { steps: onFailure.steps.map((each) => showStep(each, auths)) }
      : onFailure;
  const shown = { ...step, when: exactJson(step.when), onFailure: branch };
  if (step.kind === "publish") return { ...shown, data: exactJson(step.data) };
  if (step.kind !== "call") return shown;
  const request = showRequest(step.request, auths.get(step.key) ?? null);
  return { ...shown, success: showSuccess(step.success), request };
}

function showRequest(template: ActionRequestTemplate, auth: RequestAuth | null) {
  const { method, url, headers, query, body, bodyText, forward } = template;
  const { destinationId = null, credentialId } = template;
  const shown = { method, url, headers, query, body: exactJson(body), bodyText, forward };
  return { ...shown, destinationId, auth: showAuth(auth, credentialId) };
}

function showAuth(auth: RequestAuth | null, credentialId: string | undefined) {
  if (credentialId !== undefined) return { type: "credential" as const, credentialId };
  return auth === null ? null : { type: auth.type, ...hintOf(auth) };
}

function hintOf(auth: RequestAuth) {
  switch (auth.type) {
    case "bearer":
      return { hint: secretHint(auth.token) };
    case "basic":
      // Many services use a key as the user name alone, so the name is as secret as the password.
      return { hint: secretHint(auth.password === "" ? auth.username : auth.password) };
    case "header":
    case "query":
    case "body":
      return { name: auth.name, hint: secretHint(auth.value) };
    default:
      return auth satisfies never;
  }
}
