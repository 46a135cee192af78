import type { CredentialRecord } from "#lib/db/credentials/credentials.ts";
import type { DestinationRecord } from "#lib/db/destinations/destinations.ts";

/** A credential in the API's responses, with only a hint of its secret. */
export function showCredential(credential: CredentialRecord) {
  const { id, name, origin, settings, actionCount, destinationCount } = credential;
  const { createdAt, updatedAt } = credential;
  const usedBy = { actions: actionCount, destinations: destinationCount };
  return { id, name, origin, auth: settings, usedBy, createdAt, updatedAt };
}

export function showDestination({ actionCount, ...destination }: DestinationRecord) {
  const { createdAt, updatedAt, ...shown } = destination;
  return { ...shown, usedBy: { actions: actionCount }, createdAt, updatedAt };
}
