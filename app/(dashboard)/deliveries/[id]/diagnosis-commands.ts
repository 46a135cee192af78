"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { applyFix } from "#lib/web/services/apply-fix.ts";

const fixSchema = z.strictObject({ deliveryId: z.string().max(64), code: z.string().max(64) });

export async function applyFixCommand(
  deliveryId: string,
  code: string,
): Promise<CommandResult<null>> {
  return await runFormCommand(
    fixSchema,
    { deliveryId, code },
    async (fix, { accountId, userId }, context) => {
      const hookId = await applyFix(context, { accountId, userId, ...fix });
      revalidatePath(`/deliveries/${fix.deliveryId}`);
      revalidatePath(`/hooks/${hookId}`, "layout");
      return null;
    },
  );
}
