"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { restoreVersion } from "#lib/db/actions/restore-version.ts";
import { startedFrom } from "#lib/schema/action/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

const restoreSchema = z.strictObject({ actionId: z.string().max(64), number: startedFrom });

/** The keys of calls whose credentials must be entered again. */
export async function restoreVersionCommand(
  actionId: string,
  number: number,
): Promise<CommandResult<readonly string[]>> {
  const input = { actionId, number };
  return await runFormCommand(restoreSchema, input, async (of, { accountId, email }, context) => {
    const rules = actionRules(context, email);
    const { db } = context;
    const { missingCredentials } = await restoreVersion(
      db,
      accountId,
      of.actionId,
      of.number,
      rules,
    );
    revalidatePath(`/actions/${of.actionId}`);
    return missingCredentials;
  });
}
