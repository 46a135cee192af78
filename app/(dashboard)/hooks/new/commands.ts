"use server";

import { revalidatePath } from "next/cache";
import type { NewHook } from "#components/hooks/hook-form.tsx";
import { createHookSchema } from "#lib/core/hook/hook-input.ts";
import { createHook } from "#lib/db/hooks/hooks.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

/** The secret field has already shown any hints. */
export async function createHookCommand(
  input: NewHook,
): Promise<CommandResult<{ readonly id: string }>> {
  return await runFormCommand(
    createHookSchema,
    input,
    async (data, { accountId }, { db, sealer }) => {
      const { hook } = await createHook(db, accountId, data, sealer);
      revalidatePath("/", "layout");
      return { id: hook.id };
    },
  );
}
