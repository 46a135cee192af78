"use server";

import { revalidatePath } from "next/cache";
import type { CreatedHook } from "#components/hook-form.tsx";
import { createHook } from "#lib/db/hooks.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { hookInputSchema } from "#lib/schema/hook.ts";
import { catchUrl } from "#lib/web/catch-url.ts";
import { runFormCommand } from "#lib/web/form-command.ts";

/** An empty field of a form is one that was left out. */
export async function createHookCommand(input: Record<string, string>): Promise<CommandResult<CreatedHook>> {
  const given = Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== ""));
  const withName = { name: "", ...given };
  return await runFormCommand(hookInputSchema, withName, async (data, { accountId }, { db, sealer, env }) => {
    const { hook, warnings } = await createHook(db, accountId, data, sealer);
    revalidatePath("/");
    // The hook's own page says what a missing secret means, and takes it.
    const shown = data.signingSecret === undefined ? [] : warnings;
    return { id: hook.id, name: hook.name, catchUrl: catchUrl(env.publicUrl, hook), warnings: shown };
  });
}
