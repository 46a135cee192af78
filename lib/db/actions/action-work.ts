import type { AllowList } from "#lib/core/address/allow-list.ts";
import { requireSendable } from "#lib/core/build-request/action-rules.ts";
import { requireSendableSteps } from "#lib/core/build-request/require-sendable-steps.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { ActionInput, ActionPatch } from "#lib/schema/action/action.ts";
import { type ActionRequestTemplate, toStoredRequest } from "#lib/schema/action/action-request.ts";
import type { RequestAuth } from "#lib/schema/action/request-auth.ts";
import { onlyCallKey } from "#lib/schema/action/step-limits.ts";
import { type ActionStep, asOneCall, listCalls, mapSteps } from "#lib/schema/action/steps.ts";
import {
  type KnownCalls,
  mergeAuths,
  mergeRequest,
  openActionAuth,
  openStepAuths,
  type SealedAuth,
  sealActionAuth,
  sealStepAuths,
} from "./action-auth.ts";

/** What saving an action needs besides the action. */
export type ActionRules = {
  readonly sealer: Sealer;
  readonly allowList: AllowList;
  /** Who saves it: a person's email address, or a token's name. */
  readonly author: string;
  /**
   * Keys that steps had before this change, by their keys now: stored credentials follow a step that
   * was renamed or copied. Undefined: the keys are the same.
   */
  readonly formerKeys?: Readonly<Record<string, string>>;
};

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
  rules: ActionRules,
): ActionWork {
  const { sealer, allowList } = rules;
  if (given.request === undefined && given.steps === undefined) return before ?? nothing;
  const known = readBefore(owner, before, rules);
  const request = given.request ?? (given.steps === undefined ? undefined : asOneCall(given.steps));
  if (request !== undefined) {
    const template = mergeRequest(onlyCallKey, request, known);
    requireSendable(template, allowList);
    const call = { key: onlyCallKey, at: "request", request };
    const kept = mergeAuths([call], known).get(onlyCallKey);
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
  const auths = mergeAuths(calls, known);
  const authCiphertext = sealStepAuths(sealer, owner, auths);
  const steps = mapSteps(given.steps, (step) =>
    step.kind === "call" ? { ...step, request: mergeRequest(step.key, step.request, known) } : step,
  );
  return { request: null, steps, authCiphertext };
}

/** The same in JSON, as it is parsed again. */
export function toStoredWork({ request, steps }: Pick<ActionWork, "request" | "steps">) {
  if (steps === null) return { request: request === null ? null : toStoredRequest(request), steps };
  const stored = mapSteps(steps, (step) =>
    step.kind === "call" ? { ...step, request: toStoredRequest(step.request) } : step,
  );
  return { request: null, steps: stored };
}

const nothing: ActionWork = { request: null, steps: null, authCiphertext: null };

/** The calls of an action with their credentials. Throws if they can't be opened. */
export function readKnown(sealer: Sealer, owner: Owner, before: ActionWork | null): KnownCalls {
  const known = new Map<string, { request: ActionRequestTemplate; auth: RequestAuth | null }>();
  if (before === null) return known;
  const sealed = { ...owner, authCiphertext: before.authCiphertext };
  if (before.request !== null) {
    const auth = openActionAuth(sealer, sealed);
    return known.set(onlyCallKey, { request: before.request, auth });
  }
  const auths = openStepAuths(sealer, sealed);
  for (const { step } of listCalls(before.steps ?? []))
    known.set(step.key, { request: step.request, auth: auths.get(step.key) ?? null });
  return known;
}

/** By the keys that the steps have now. */
function readBefore(
  owner: Owner,
  before: ActionWork | null,
  { sealer, formerKeys }: ActionRules,
): KnownCalls {
  const known = readKnown(sealer, owner, before);
  if (formerKeys === undefined) return known;
  return new Map(
    Object.entries(formerKeys).flatMap(([key, former]) => {
      const call = known.get(former);
      return call === undefined ? [] : [[key, call] as const];
    }),
  );
}
