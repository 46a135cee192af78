"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { rotateHookSecret } from "#lib/db/hook-secrets.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { secretRotationSchema } from "#lib/schema/hook.ts";
import { runFormCommand } from "#lib/web/form-command.ts";

const addSecretSchema = secretRotationSchema.extend({ hookId: z.uuid() });

export async function addSecretCommand(hookId: string, secret: string): Promise<CommandResult<null>> {
  const input = { hookId, secret };
  return await runFormCommand(addSecretSchema, input, async (data, { accountId }, { db, sealer }) => {
    const { hookId: id, ...rotation } = data;
    await rotateHookSecret(db, accountId, id, rotation, sealer);
    revalidatePath("/", "layout");
    return null;
  });
}
