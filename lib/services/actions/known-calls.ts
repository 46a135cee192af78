import { requireReusableAuth } from "#lib/core/mapping/build-request/checks/action-rules.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import {
  openActionAuth,
  openStepAuths,
  type SealedAuth,
} from "#lib/core/sending/credential/action-auth.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { listCalls } from "#lib/schema/act/steps.ts";

/** A call of an action as it was before a change, by the key of its step. */
export type KnownCalls = ReadonlyMap<
  string,
  { readonly request: ActionRequestTemplate; readonly auth: RequestAuth | null }
>;

/** The calls of an action with their credentials. Throws if they can't be opened. */
export function readKnown(
  sealer: Sealer,
  owner: Pick<SealedAuth, "id" | "accountId">,
  before: ActionWork | null,
): KnownCalls {
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

type GivenCall = {
  readonly key: string;
  /** The path of the request in the input. */
  readonly at: string;
  readonly request: ActionRequestTemplate & { readonly auth?: RequestAuth | null };
};

/**
 * The credentials after a change. Omitted ones stay, if the call goes to the origin that they were
 * entered for. Null removes them.
 */
export function mergeAuths(
  calls: readonly GivenCall[],
  known: KnownCalls,
): ReadonlyMap<string, RequestAuth> {
  const merged = new Map<string, RequestAuth>();
  for (const { key, at, request } of calls) {
    const { auth, ...rest } = request;
    if (auth === null) continue;
    const kept = known.get(key);
    if (auth === undefined && kept?.auth) requireReusableAuth(kept.request, rest, kept.auth, at);
    const value = auth ?? kept?.auth;
    if (value) merged.set(key, value);
  }
  return merged;
}

/** Returns the request to store: without `auth`, and with its saved credential if `auth` was omitted. */
export function mergeRequest(
  key: string,
  { auth, ...request }: GivenCall["request"],
  known: KnownCalls,
): ActionRequestTemplate {
  const kept = auth === undefined ? known.get(key)?.request.credentialId : undefined;
  return kept === undefined ? request : { ...request, credentialId: kept };
}
