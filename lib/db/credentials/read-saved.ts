import type { SavedRows } from "#lib/core/sending/credential/open-saved.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";

/**
 * The saved credentials and destinations that a request names outside of a run, such as a draft's.
 */
export async function readSavedRows(
  db: Database,
  accountId: string,
  { destinationId, credentialId }: Pick<ActionRequestTemplate, "destinationId" | "credentialId">,
): Promise<SavedRows> {
  if (destinationId === undefined && credentialId === undefined)
    return { credentials: [], destinations: [] };
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
  return { credentials, destinations };
}

/** All credentials of an account, sealed. */
export async function listSealedCredentials(
  db: Database,
  accountId: string,
): Promise<readonly { readonly id: string; readonly ciphertext: Uint8Array }[]> {
  return await db.credential.findMany({
    where: { accountId },
    select: { id: true, ciphertext: true },
  });
}

function idsOf(id: string | null | undefined): string[] {
  return typeof id === "string" ? [id] : [];
}
