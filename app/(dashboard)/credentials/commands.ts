"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createCredential, deleteCredential, updateCredential } from "#lib/services/credentials.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

type Saved = Promise<CommandResult<{ readonly id: string }>>;

export async function createCredentialCommand(input: object): Saved {
  // The service parses what the form sent, whatever it is.
  const given = input as z.input<typeof createCredential.input>;
  return await changeByService(createCredential, given, ({ id }) => ({ id }));
}

export async function saveCredentialCommand(id: string, patch: object): Saved {
  return await changeByService(updateCredential, { ...patch, id }, () => ({ id }));
}

export async function deleteCredentialCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteCredential, { id }, nothing);
}
