import { openSaved } from "#lib/core/credential/open-saved.ts";
import type { SavedCredential } from "#lib/core/credential/saved-credential.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";

/** The saved credential of a request that isn't a run's, such as a draft's. Throws as `openSaved`. */
export async function readSaved(
  db: Database,
  sealer: Sealer,
  accountId: string,
  request: ActionRequestTemplate,
  hasAuth: boolean,
): Promise<SavedCredential | null> {
  const { destinationId, credentialId } = request;
  if (destinationId === undefined && credentialId === undefined) return null;
  const destinations = await db.destination.findMany({
    where: { accountId, id: { in: idsOf(destinationId) } },
    select: { id: true, credentialId: true },
  });
  const ids = [...idsOf(credentialId), ...destinations.flatMap((each) => idsOf(each.credentialId))];
  const rows = await db.credential.findMany({
    where: { accountId, id: { in: ids } },
    select: { id: true, version: true, origin: true, ciphertext: true },
  });
  const credentials = rows.map((row) => ({
    ...row,
    ciphertext: Buffer.from(row.ciphertext).toString("base64"),
  }));
  return openSaved(sealer, accountId, { credentials, destinations }, request, hasAuth);
}

function idsOf(id: string | null | undefined): string[] {
  return typeof id === "string" ? [id] : [];
}
