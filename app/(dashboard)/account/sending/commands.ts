"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { saveSenderSettings } from "#lib/services/account/sender-settings.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveSendingCommand(input: object): Promise<CommandResult<null>> {
  // The service parses what the form sent, whatever it is.
  const settings = input as z.input<typeof saveSenderSettings.input>;
  return await changeByService(saveSenderSettings, settings, nothing);
}
