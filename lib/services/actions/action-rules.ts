import { AppError, invalidField } from "#lib/base/errors.ts";
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
import {
  findUses,
  holdUses,
  type RequestUses,
  type UsedReceiver,
} from "#lib/db/actions/request-uses.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import type { ActionInput, ActionPatch } from "#lib/schema/act/action.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import {
  type ActionStep,
  asOneCall,
  listCalls,
  listSteps,
  mapSteps,
} from "#lib/schema/act/steps.ts";
import { requireOtherServer } from "#lib/services/frame/require-other-server.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { checkTransform } from "#lib/threads/transform/run-transform.ts";
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

/**
 * Throws `template_invalid`, with line and column, for a transform that can't be loaded, or
 * `rate_limited` if no thread was free to load it.
 */
export async function requireTransforms(
  accountId: string,
  steps: readonly ActionStep[] | undefined,
): Promise<void> {
  for (const { step, path } of listSteps(steps ?? [])) {
    if (step.kind !== "transform") continue;
    const checked = await checkTransform(webThreads(), step.code, { accountId });
    if (checked.ok) continue;
    if (checked.code === "too_busy") throw busyServer();
    const { message, line, column } = checked;
    const place = line === null || column === null ? {} : { line, column };
    const at = ["steps", ...path, "code"].join(".");
    const error = { path: at, code: "invalid_template" as const, message, ...place };
    throw new AppError("template_invalid", `${at}: ${message}`, { errors: [error] });
  }
}

type Requests = Pick<ActionWork, "request" | "steps">;

/**
 * The destinations and saved credentials of an action, each for the origin of its URL. They can't be
 * deleted or moved until the transaction ends. Throws `invalid_request` for any that isn't the
 * account's, or is for another origin.
 */
export async function requireUses(
  tx: Transaction,
  accountId: string,
  work: Requests,
): Promise<RequestUses> {
  const requests = listRequests(work);
  const uses: RequestUses = {
    destinationIds: distinct(requests.map(({ request }) => request.destinationId)),
    credentialIds: distinct(requests.map(({ request }) => request.credentialId)),
  };
  const { destinations, credentials } = await holdUses(tx, accountId, uses);
  for (const { at, request } of requests) {
    const { destinationId, credentialId } = request;
    const origin = readTemplateOrigin(request.url);
    if (destinationId !== undefined)
      requireOrigin(`${at}.destinationId`, "destination", destinations, destinationId, origin);
    if (credentialId !== undefined)
      requireOrigin(`${at}.auth.credentialId`, "credential", credentials, credentialId, origin);
  }
  return uses;
}

/** Returns the ids of the destinations and credentials that the action may use: those of the same origin. */
export async function findUsable(
  db: Database,
  accountId: string,
  work: Requests,
): Promise<ReadonlySet<string>> {
  const wanted = listRequests(work).flatMap(({ request }) => {
    const origin = readTemplateOrigin(request.url);
    const ids = [request.destinationId, request.credentialId].filter((id) => id !== undefined);
    return origin === null ? [] : ids.map((id) => ({ id, origin }));
  });
  const ids = wanted.map(({ id }) => id);
  const found = await findUses(db, accountId, ids);
  const isThere = (each: UsedReceiver) =>
    found.some(({ id, origin }) => id === each.id && origin === each.origin);
  return new Set(wanted.filter(isThere).map(({ id }) => id));
}

type PlacedRequest = { readonly at: string; readonly request: ActionRequestTemplate };

function listRequests({ request, steps }: Requests): readonly PlacedRequest[] {
  if (request !== null) return [{ at: "request", request }];
  return listCalls(steps ?? []).map(({ step, at }) => ({
    at: `${at}.request`,
    request: step.request,
  }));
}

function requireOrigin(
  path: string,
  what: string,
  known: readonly UsedReceiver[],
  id: string,
  origin: string | null,
): void {
  const found = known.find((each) => each.id === id);
  if (found === undefined)
    throw invalidField(path, `there is no ${what} with this id`, "not_found");
  if (found.origin !== origin)
    throw invalidField(path, `is for ${found.origin}, but the URL isn't`, "conflict");
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
