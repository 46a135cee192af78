"use server";

import type { AddedProof } from "#components/hooks/add-secret-form.tsx";
import type { PendingVerification } from "#lib/evaluate/stored/verify-pending.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { countDuplicates } from "#lib/services/hooks/check-identity.ts";
import { readHandshakeSecret } from "#lib/services/hooks/hook-secrets.ts";
import { verifyPending } from "#lib/services/hooks/verify-pending.ts";
import { addMissingProof } from "#lib/services/hooks/write-hooks.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

/** Adds what the hook lacks: its secret, and other values if the provider needs them. */
export async function addSecretCommand(
  id: string,
  proof: AddedProof,
): Promise<CommandResult<null>> {
  return await changeByService(addMissingProof, { ...proof, id }, nothing);
}

/** Adds the content to a hook's rule, and accepts the stored duplicates that differ. */
export async function countDuplicatesCommand(
  id: string,
  acceptStored: boolean,
): Promise<CommandResult<{ accepted: number; kept: number }>> {
  return await changeByService(countDuplicates, { id, acceptStored }, ({ accepted, kept }) => ({
    accepted,
    kept,
  }));
}

/** Verifies and runs the pending deliveries of a hook. */
export async function verifyPendingCommand(
  id: string,
): Promise<CommandResult<PendingVerification>> {
  return await changeByService(verifyPending, { id }, (verified) => verified);
}

/** The secret that the provider sent in a handshake, for its owner to copy. */
export async function readHandshakeSecretCommand(id: string): Promise<CommandResult<string>> {
  const result = await askService(readHandshakeSecret, { id });
  return result.ok ? { ok: true, value: result.value.secret } : result;
}
