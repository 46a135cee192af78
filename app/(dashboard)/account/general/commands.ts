"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { renameAccount } from "#lib/services/account/update-account.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function renameAccountCommand(input: object): Promise<CommandResult<null>> {
  // The service parses what the form sent, whatever it is.
  const name = input as z.input<typeof renameAccount.input>;
  return await changeByService(renameAccount, name, nothing);
}
