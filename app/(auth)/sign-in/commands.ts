"use server";

import { headers } from "next/headers";
import { after } from "next/server";
import { AppError } from "#lib/base/errors.ts";
import { passkeyResponseSchema } from "#lib/schema/account/passkey.ts";
import {
  resetRequestSchema,
  resetSchema,
  secondFactorSchema,
} from "#lib/schema/account/sign-in.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { commonPasswordError } from "#lib/services/account/passwords.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { checkPasskey, startPasskeySignIn } from "#lib/services/sign-in/passkeys.ts";
import { requestPasswordReset, resetPasswordByLink } from "#lib/services/sign-in/password-reset.ts";
import { keepChallenge, takeChallenge } from "#lib/web/auth/challenge.ts";
import { readBrowser } from "#lib/web/auth/device-token.ts";
import { finishSignIn, openSessionOf } from "#lib/web/auth/finish-sign-in.ts";
import { respondToCommand, runPublicFormCommand } from "#lib/web/auth/form-command.ts";
import { readRequestOrigin } from "#lib/web/request/request-origin.ts";

/** Says the same, and takes as long, whether or not a user has the email. */
export async function requestPasswordResetCommand(
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runPublicFormCommand(resetRequestSchema, input, async ({ email }, context) => {
    const { address } = await readBrowser();
    const request = await requestPasswordReset(context, email, address);
    if (!request.ok && request.code === "throttled")
      throw new AppError(
        "rate_limited",
        `Too many requests. Try again in ${request.retryAfterSeconds} seconds.`,
      );
    if (!request.ok) throw new AppError("forbidden", "This server resets no passwords by email.");
    after(request.send);
    return null;
  });
}

/** The link's token authorizes the command. */
export async function resetPasswordCommand(
  token: string,
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runPublicFormCommand(resetSchema, input, async ({ password }, context) => {
    const request = readRequestOrigin(await headers());
    const result = await resetPasswordByLink({ ...context, request }, String(token), password);
    if (result === "password_common") throw commonPasswordError("password");
    if (result === "link_invalid")
      throw new AppError("forbidden", "This link no longer works. Ask for a new one.");
    return null;
  });
}

/** The cookie of a correct password authorizes the command. */
export async function finishSignInCommand(
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runPublicFormCommand(secondFactorSchema, input, async ({ code }, context) => {
    await finishSignIn(context, code);
    return null;
  });
}

/** Anyone may ask: the challenge is the same kind for everyone. */
export async function startPasskeySignInCommand() {
  return await respondToCommand(async () => {
    const options = await startPasskeySignIn(serverContext());
    await keepChallenge(options.challenge, "sign in");
    return options;
  });
}

/** The passkey authorizes the command. */
export async function finishPasskeySignInCommand(response: object): Promise<CommandResult<null>> {
  return await runPublicFormCommand(passkeyResponseSchema, response, async (given, context) => {
    const challenge = await takeChallenge("sign in");
    if (challenge === null) throw new AppError("forbidden", "This took too long. Try again.");
    const request = readRequestOrigin(await headers());
    const userId = await checkPasskey({ ...context, request }, given, challenge);
    await openSessionOf(context, userId);
    return null;
  });
}
