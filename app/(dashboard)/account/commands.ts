"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { renameAccount } from "#lib/db/accounts/accounts.ts";
import { createSession, endAllSessions, endSession } from "#lib/db/accounts/sessions.ts";
import { changeEmail, changePassword, renameUser } from "#lib/db/accounts/users.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import {
  accountNameSchema,
  passwordChangeSchema,
  profileSchema,
} from "#lib/schema/account/account.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { commonPasswordError, hashNewPassword } from "#lib/services/account/new-password.ts";
import { confirmPassword } from "#lib/web/auth/confirm-password.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { setSessionCookie } from "#lib/web/auth/session.ts";
import { readClientKey } from "#lib/web/request/client-address.ts";

/** A new email needs the password: its owner can sign in, and the old address no longer can. */
export async function saveProfileCommand(
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runFormCommand(profileSchema, input, async (data, session, { db }) => {
    const { name, email, password = "" } = data;
    if (email !== session.email) {
      await confirmPassword(session, password, "password");
      if (!(await changeEmail(db, session, email))) {
        const errors = [{ path: "email", code: "conflict", message: "is already in use" } as const];
        throw new AppError("conflict", "Check the marked fields.", { errors });
      }
      log.info("email.changed", { userId: session.userId });
    }
    await renameUser(db, session.userId, name);
    revalidatePath("/", "layout");
    return null;
  });
}

/** Ends all sessions of the user and gives this browser a new one. */
export async function changePasswordCommand(
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runFormCommand(passwordChangeSchema, input, async (data, session, { db }) => {
    const user = await confirmPassword(session, data.currentPassword, "currentPassword");
    const passwordHash = await hashNewPassword(data.newPassword);
    if (passwordHash === null) throw commonPasswordError("newPassword");
    if (!(await changePassword(db, user, passwordHash))) {
      throw new AppError("conflict", "The password was just changed elsewhere. Try again.");
    }
    log.info("password.changed", { userId: user.userId });
    const sent = await headers();
    const client = { userAgent: sent.get("user-agent") ?? "", address: readClientKey(sent) };
    const sessionId = await createSession(db, { userId: user.userId, passwordHash }, client);
    if (sessionId === null) redirect("/sign-in");
    await setSessionCookie({ userId: user.userId, sessionId });
    revalidatePath("/account");
    return null;
  });
}

export async function renameAccountCommand(
  input: Record<string, string>,
): Promise<CommandResult<null>> {
  return await runFormCommand(
    accountNameSchema,
    input,
    async ({ name }, { accountId, role }, { db }) => {
      if (role === "member")
        throw new AppError("forbidden", "Only owners and admins can rename the account.");
      await renameAccount(db, accountId, name);
      revalidatePath("/", "layout");
      return null;
    },
  );
}

export async function endSessionCommand(sessionId: string): Promise<CommandResult<null>> {
  return await runFormCommand(z.uuid(), sessionId, async (id, { userId }, { db }) => {
    await endSession(db, userId, id);
    revalidatePath("/account");
    return null;
  });
}

export async function signOutEverywhereCommand(): Promise<CommandResult<null>> {
  return await runFormCommand(z.null(), null, async (_, { userId }, { db }) => {
    await endAllSessions(db, userId);
    redirect("/sign-in");
  });
}
