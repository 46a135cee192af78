"use server";

import { revalidatePath } from "next/cache";
import type { SendingSettings } from "#components/account/sending-form.tsx";
import { saveSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { AppError } from "#lib/errors.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { senderSettingsSchema } from "#lib/schema/sender/settings.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

export async function saveSendingCommand(input: SendingSettings): Promise<CommandResult<null>> {
  return await runFormCommand(
    senderSettingsSchema,
    input,
    async (settings, { accountId, role }, { db }) => {
      if (role === "member")
        throw new AppError("forbidden", "Only owners and admins can change how events are sent.");
      await saveSenderSettings(db, accountId, settings);
      revalidatePath("/account", "layout");
      return null;
    },
  );
}
