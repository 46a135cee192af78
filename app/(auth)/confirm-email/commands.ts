"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { confirmEmail } from "#lib/services/account/email-change.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function confirmEmailCommand(token: string): Promise<CommandResult<null>> {
  return await changeByService(confirmEmail, { token: String(token) }, nothing);
}
