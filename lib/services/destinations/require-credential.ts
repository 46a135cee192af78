import { invalidField } from "#lib/base/errors.ts";
import { holdCredential } from "#lib/db/credentials/credentials.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import type { DestinationInput } from "#lib/schema/act/destination.ts";

/** Throws `invalid_request` if the credential doesn't exist or is for another origin. */
export async function requireCredential(
  tx: Transaction,
  accountId: string,
  { credentialId, origin }: Pick<DestinationInput, "credentialId" | "origin">,
): Promise<void> {
  if (credentialId === null) return;
  const found = await holdCredential(tx, accountId, credentialId);
  if (found === null)
    throw invalidField("credentialId", "there is no credential with this id", "not_found");
  if (found !== origin)
    throw invalidField(
      "credentialId",
      `is for ${found}, and the destination is ${origin}`,
      "conflict",
    );
}
