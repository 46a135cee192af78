"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { AddedProof } from "#components/hooks/add-secret-form.tsx";
import { type PendingVerification, verifyPending } from "#lib/catch/stored/verify-pending.ts";
import { readHandshakeSecret } from "#lib/db/hooks/handshake-secret.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { updateHook } from "#lib/db/hooks/hooks.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { hookPatchSchema, secretRotationSchema } from "#lib/schema/hook.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { withEvaluationParts } from "#lib/web/services/evaluation-parts.ts";

const hookIdSchema = z.uuid();
const proofSchema = z.strictObject({
  hookId: z.uuid(),
  secret: secretRotationSchema.shape.secret.optional(),
  verification: hookPatchSchema.shape.verification,
});

/** Adds what the hook lacks: its secret, and other values if the provider needs them. */
export async function addSecretCommand(
  hookId: string,
  proof: AddedProof,
): Promise<CommandResult<null>> {
  const input = { ...Object(proof), hookId };
  return await runFormCommand(proofSchema, input, async (data, { accountId }, { db, sealer }) => {
    const { secret, verification } = data;
    if (verification !== undefined)
      await updateHook(db, accountId, data.hookId, { verification }, sealer);
    if (secret !== undefined) {
      const rotation = secretRotationSchema.parse({ secret });
      await rotateHookSecret(db, accountId, data.hookId, rotation, sealer);
    }
    revalidatePath("/", "layout");
    return null;
  });
}

/** Verifies and runs the pending deliveries of a hook. */
export async function verifyPendingCommand(
  hookId: string,
): Promise<CommandResult<PendingVerification>> {
  return await runFormCommand(hookIdSchema, hookId, async (id, { accountId }, context) => {
    const verified = await withEvaluationParts(context, (parts) =>
      verifyPending(context.db, accountId, id, parts),
    );
    revalidatePath("/", "layout");
    return verified;
  });
}

/** The secret that the provider sent in a handshake, for its owner to copy. */
export async function readHandshakeSecretCommand(hookId: string): Promise<CommandResult<string>> {
  return await runFormCommand(hookIdSchema, hookId, (id, { accountId }, { db, sealer }) =>
    readHandshakeSecret(db, accountId, id, sealer),
  );
}
