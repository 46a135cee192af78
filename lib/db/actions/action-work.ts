import type { AllowList } from "#lib/core/address/allow-list.ts";
import { requireSendable } from "#lib/core/build-request/action-rules.ts";
import { requireSendableSteps } from "#lib/core/build-request/require-sendable-steps.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { ActionInput, ActionPatch } from "#lib/schema/action/action.ts";
import type { ActionRequestTemplate, RequestAuth } from "#lib/schema/action/action-request.ts";
import { type ActionStep, asOneCall, listCalls, onlyCallKey } from "#lib/schema/action/steps.ts";
import {
  mergeAuths,
  openActionAuth,
  openStepAuths,
  type SealedAuth,
  sealActionAuth,
  sealStepAuths,
} from "./action-auth.ts";

/** What saving an action needs besides the action. */
export type ActionRules = { readonly sealer: Sealer; readonly allowList: AllowList };

/** What an action does, as stored: one call or steps, and their credentials apart. */
export type ActionWork = {
  readonly request: ActionRequestTemplate | null;
  readonly steps: readonly ActionStep[] | null;
  readonly authCiphertext: Uint8Array | null;
};

type Given = Pick<ActionInput | ActionPatch, "request" | "steps">;
type Owner = Pick<SealedAuth, "id" | "accountId">;

/**
 * What a change makes of an action. A single plain call is stored as one, however it is given.
 * Throws `template_invalid` with line and column, and `invalid_request` for what may not be called.
 *
 * @param before null: it is new
 */
export function toWork(
  owner: Owner,
  given: Given,
  before: ActionWork | null,
  { sealer, allowList }: ActionRules,
): ActionWork {
  const request = given.request ?? (given.steps === undefined ? undefined : asOneCall(given.steps));
  if (request !== undefined) {
    const { auth, ...template } = request;
    requireSendable(template, allowList);
    const call = { key: onlyCallKey, at: "request", request };
    const kept = mergeAuths([call], readKnown(sealer, owner, before)).get(onlyCallKey);
    const authCiphertext = kept === undefined ? null : sealActionAuth(sealer, owner, kept);
    return { request: template, steps: null, authCiphertext };
  }
  if (given.steps === undefined) return before ?? nothing;
  requireSendableSteps(given.steps, allowList);
  const calls = listCalls(given.steps).map(({ step, at }) => ({
    key: step.key,
    at: `${at}.request`,
    request: step.request,
  }));
  const auths = mergeAuths(calls, readKnown(sealer, owner, before));
  const authCiphertext = sealStepAuths(sealer, owner, auths);
  return { request: null, steps: given.steps.map(withoutAuth), authCiphertext };
}

const nothing: ActionWork = { request: null, steps: null, authCiphertext: null };

function readKnown(sealer: Sealer, owner: Owner, before: ActionWork | null) {
  const known = new Map<string, { request: ActionRequestTemplate; auth: RequestAuth }>();
  if (before === null) return known;
  const sealed = { ...owner, authCiphertext: before.authCiphertext };
  if (before.request !== null) {
    const auth = openActionAuth(sealer, sealed);
    if (auth !== null) known.set(onlyCallKey, { request: before.request, auth });
    return known;
  }
  const auths = openStepAuths(sealer, sealed);
  for (const { step } of listCalls(before.steps ?? [])) {
    const auth = auths.get(step.key);
    if (auth !== undefined) known.set(step.key, { request: step.request, auth });
  }
  return known;
}

function withoutAuth(step: ActionStep): ActionStep {
  const { onFailure } = step;
  const bare = removeAuth(step);
  if (typeof onFailure !== "object") return bare;
  return { ...bare, onFailure: { steps: onFailure.steps.map(removeAuth) } };
}

function removeAuth<Step extends { readonly kind: string }>(step: Step): Step {
  if (!("request" in step)) return step;
  const { auth: _apart, ...request } = step.request as ActionRequestTemplate & { auth?: unknown };
  return { ...step, request };
}
