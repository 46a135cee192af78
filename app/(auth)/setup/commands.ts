"use server";

import { claimSetup } from "#lib/db/accounts/setup-tokens.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { setupSchema } from "#lib/schema/account/setup.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { commonPasswordError } from "#lib/services/account/new-password.ts";
import { runPublicFormCommand } from "#lib/web/auth/form-command.ts";

/** The link's token authorizes it, since no user exists yet. */
export async function claimSetupCommand(
  token: string,
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runPublicFormCommand(setupSchema, input, async (setup, { db }) => {
    const result = await claimSetup(db, String(token), setup);
    if (!result.ok) throw setupError(result.code);
    log.info("owner.created", { userId: result.userId, accountId: result.accountId });
    return null;
  });
}

function setupError(code: keyof typeof refusals | "password_common"): AppError {
  if (code === "password_common") return commonPasswordError("password");
  return new AppError("forbidden", refusals[code]);
}

const refusals = {
  owner_exists: "This installation already has an owner. Sign in instead.",
  link_invalid: "This setup link no longer works. Start the server again to get a new one.",
};
