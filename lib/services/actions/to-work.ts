import { requireSendable } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import { requireSendableSteps } from "#lib/core/mapping/build-request/checks/require-sendable-steps.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  type SealedAuth,
  sealActionAuth,
  sealStepAuths,
} from "#lib/core/sending/credential/action-auth.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import type { ActionInput, ActionPatch } from "#lib/schema/act/action.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { asOneCall, listCalls, mapSteps } from "#lib/schema/act/steps.ts";
import { requireOtherServer } from "#lib/services/frame/require-other-server.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { type KnownCalls, mergeAuths, mergeRequest, readKnown } from "./known-calls.ts";

/**
 * Keys that steps had before a change, by their keys now: stored credentials follow a step that was
 * renamed or copied. Undefined: the keys are the same.
 */
export type FormerKeys = Readonly<Record<string, string>> | undefined;

type WorkChange = {
  readonly owner: Pick<SealedAuth, "id" | "accountId">;
  readonly given: Pick<ActionInput | ActionPatch, "request" | "steps">;
  /** Null: it is new. */
  readonly before: ActionWork | null;
  readonly formerKeys?: FormerKeys;
};

/**
 * Applies a change to what an action does. A single plain call is stored as one, however it is
 * given. Throws `template_invalid` with line and column, and `invalid_request` for a URL that may
 * not be called.
 */
export function toWork(context: ServiceParts, change: WorkChange): ActionWork {
  const { sealer, env } = context;
  const { owner, given, before } = change;
  const { egressAllow } = env;
  const known = readBefore(sealer, change);
  const request = given.request ?? (given.steps === undefined ? undefined : asOneCall(given.steps));
  if (request !== undefined) {
    const template = mergeRequest(onlyCallKey, request, known);
    requireSendable(template, egressAllow);
    requireCallOut(template.url, "request", context);
    const call = { key: onlyCallKey, at: "request", request };
    const kept = mergeAuths([call], known).get(onlyCallKey);
    const authCiphertext = kept === undefined ? null : sealActionAuth(sealer, owner, kept);
    return { request: template, steps: null, authCiphertext };
  }
  if (given.steps === undefined) return keepWork(before);
  requireSendableSteps(given.steps, egressAllow);
  const calls = listCalls(given.steps).map(({ step, at }) => ({
    key: step.key,
    at: `${at}.request`,
    request: step.request,
  }));
  for (const { request: call, at } of calls) requireCallOut(call.url, at, context);
  const authCiphertext = sealStepAuths(sealer, owner, mergeAuths(calls, known));
  const steps = mapSteps(given.steps, (step) =>
    step.kind === "call" ? { ...step, request: mergeRequest(step.key, step.request, known) } : step,
  );
  return { request: null, steps, authCiphertext };
}

/** Throws `invalid_request` for a URL of this server, if it is known before a delivery. */
function requireCallOut(template: string, at: string, context: ServiceParts): void {
  const origin = readTemplateOrigin(template);
  if (origin === null) return;
  const path = `${at}.url`;
  const instead = "To do more with a delivery, add a step here or an action to the same hook";
  requireOtherServer(new URL(origin), context, { path, instead });
}

function keepWork(before: ActionWork | null): ActionWork {
  const { request = null, steps = null, authCiphertext = null } = before ?? {};
  return { request, steps, authCiphertext };
}

/** The calls before the change, by the keys that their steps have now. */
function readBefore(sealer: Sealer, { owner, given, before, formerKeys }: WorkChange): KnownCalls {
  // A change of neither must be possible with credentials that can't be opened.
  if (given.request === undefined && given.steps === undefined) return new Map();
  const known = readKnown(sealer, owner, before);
  if (formerKeys === undefined) return known;
  return new Map(
    Object.entries(formerKeys).flatMap(([key, former]) => {
      const call = known.get(former);
      return call === undefined ? [] : [[key, call] as const];
    }),
  );
}
