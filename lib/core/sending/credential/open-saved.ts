import { AppError } from "#lib/base/errors.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { SavedCredential } from "./saved-credential.ts";
import { openCredential } from "./seal-credential.ts";

/** The destinations and saved credentials that the requests of an action name, as stored. */
export type SavedRows = {
  readonly credentials: readonly CredentialRow[];
  readonly destinations: readonly { readonly id: string; readonly credentialId: string | null }[];
};

/** A saved credential as stored. */
export type CredentialRow = {
  readonly id: string;
  readonly version: number;
  readonly origin: string;
  /** Base64. */
  readonly ciphertext: string;
};

type Naming = Pick<ActionRequestTemplate, "url" | "destinationId" | "credentialId">;

/**
 * The saved credential of a request: its own, or that of its destination. Null if it has none. Throws
 * `conflict` for one that is missing or for another origin, and an error if it can't be decrypted.
 *
 * @param hasAuth the request has credentials of its own, which go before those of a destination
 */
export function openSaved(
  sealer: Sealer,
  accountId: string,
  { credentials, destinations }: SavedRows,
  { url, destinationId, credentialId: own }: Naming,
  hasAuth: boolean,
): SavedCredential | null {
  const destination = destinations.find(({ id }) => id === destinationId);
  if (destinationId !== undefined && destination === undefined)
    throw new AppError("conflict", "The destination of this action no longer exists.");
  const id = own ?? (hasAuth ? null : (destination?.credentialId ?? null));
  if (id === null) return null;
  const row = credentials.find((each) => each.id === id);
  if (row === undefined)
    throw new AppError("conflict", "The credential of this action no longer exists.");
  return openRow(sealer, accountId, row, readTemplateOrigin(url));
}

/**
 * Opens the saved credential of calls to `origin`. Throws `conflict` for one of another origin, and an
 * error if it can't be decrypted.
 */
export function openRow(
  sealer: Sealer,
  accountId: string,
  { id, version, origin, ciphertext }: CredentialRow,
  called: string | null | undefined,
): SavedCredential {
  if (called !== origin)
    throw new AppError("conflict", `The credential is for ${origin}, and the URL isn't.`);
  const sealed = { id, accountId, ciphertext: Buffer.from(ciphertext, "base64") };
  return { id, version, origin, auth: openCredential(sealer, sealed) };
}
