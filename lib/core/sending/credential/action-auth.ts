import { actionAuthPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";

/** A row's sealed credentials. */
export type SealedAuth = {
  readonly id: string;
  readonly accountId: string;
  readonly authCiphertext: Uint8Array | null;
};

type Owner = Pick<SealedAuth, "id" | "accountId">;

/**
 * An action's credentials in plain text, for the call and for redaction. Null if it has none.
 * Throws if they can't be opened: a call without its credentials would be a different call.
 */
export function openActionAuth(sealer: Sealer, action: SealedAuth): RequestAuth | null {
  return open(sealer, action) as RequestAuth | null;
}

export function sealActionAuth(sealer: Sealer, owner: Owner, auth: RequestAuth): Uint8Array {
  return seal(sealer, owner, auth);
}

/** The credentials of an action with steps, by the key of the step. Throws as `openActionAuth`. */
export function openStepAuths(
  sealer: Sealer,
  action: SealedAuth,
): ReadonlyMap<string, RequestAuth> {
  return new Map(Object.entries((open(sealer, action) ?? {}) as Record<string, RequestAuth>));
}

/** Null: no step has any. */
export function sealStepAuths(
  sealer: Sealer,
  owner: Owner,
  auths: ReadonlyMap<string, RequestAuth>,
): Uint8Array | null {
  return auths.size === 0 ? null : seal(sealer, owner, Object.fromEntries(auths));
}

function open(sealer: Sealer, action: SealedAuth): unknown {
  if (action.authCiphertext === null) return null;
  const opened = sealer.open(action.authCiphertext, actionAuthPlace(action));
  if (!opened.ok)
    throw new Error(`The credentials of an action can't be opened. ${opened.message}`);
  // Sealed by `seal`, so authentic: no need to validate again.
  return JSON.parse(Buffer.from(opened.plaintext).toString("utf8"));
}

function seal(sealer: Sealer, owner: Owner, value: unknown): Uint8Array {
  return sealer.seal(Buffer.from(JSON.stringify(value), "utf8"), actionAuthPlace(owner));
}
