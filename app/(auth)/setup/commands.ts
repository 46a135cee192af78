"use server";

import { AppError } from "#lib/base/errors.ts";
import { setupSchema } from "#lib/schema/account/setup.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { claimSetup } from "#lib/services/account/first-owner.ts";
import { commonPasswordError } from "#lib/services/account/passwords.ts";
import { runPublicFormCommand } from "#lib/web/auth/form-command.ts";

/** The link's token authorizes the command, since no user exists yet. */
export async function claimSetupCommand(
  token: string,
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runPublicFormCommand(setupSchema, input, async (setup, context) => {
    const result = await claimSetup(context, String(token), setup);
    if (!result.ok) throw setupError(result.code);
    return null;
  });
}

function setupError(code: keyof typeof rejections | "password_common"): AppError {
  if (code === "password_common") return commonPasswordError("password");
  return new AppError("forbidden", rejections[code]);
}

const rejections = {
  owner_exists: "This installation already has an owner. Sign in instead.",
  link_invalid: "This setup link no longer works. Start the server again to get a new one.",
};
