"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import {
  createCredential,
  deleteCredential,
  updateCredential,
} from "#lib/db/credentials/credentials.ts";
import { credentialInputSchema, credentialPatchSchema } from "#lib/schema/credential.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

type Saved = Promise<CommandResult<{ readonly id: string }>>;

const id = z.string().max(64);

export async function createCredentialCommand(input: object): Saved {
  return await runFormCommand(
    credentialInputSchema,
    input,
    async (data, { accountId }, { db, env, sealer }) => {
      const rules = { sealer, allowList: env.egressAllow };
      const made = await createCredential(db, accountId, data, rules);
      revalidatePath("/credentials", "layout");
      return { id: made.id };
    },
  );
}

export async function saveCredentialCommand(credentialId: string, input: object): Saved {
  return await runFormCommand(
    credentialPatchSchema,
    input,
    async (patch, { accountId }, { db, env, sealer }) => {
      const rules = { sealer, allowList: env.egressAllow };
      await updateCredential(db, accountId, credentialId, patch, rules);
      revalidatePath("/credentials", "layout");
      return { id: credentialId };
    },
  );
}

export async function deleteCredentialCommand(credentialId: string): Promise<CommandResult<null>> {
  return await runFormCommand(id, credentialId, async (deleted, { accountId }, { db }) => {
    await deleteCredential(db, accountId, deleted);
    revalidatePath("/credentials", "layout");
    return null;
  });
}
