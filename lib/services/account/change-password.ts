import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { createSession } from "#lib/db/accounts/sessions.ts";
import { changePassword as replacePassword } from "#lib/db/accounts/users.ts";
import { passwordChangeSchema } from "#lib/schema/account/account.ts";
import { service } from "#lib/services/frame/service.ts";
import { auditPerson } from "./audit-person.ts";
import { browserField, confirmPassword } from "./confirm-password.ts";
import { commonPasswordError, hashNewPassword } from "./new-password.ts";
import { requireUser } from "./require-user.ts";

/** The new session of the browser. Null: the password has changed again meanwhile. */
type ChangedPassword = { readonly userId: string; readonly sessionId: string | null };

/** Changes the user's password, ends all of their sessions, and creates one for this browser. */
export const changePassword = service({
  permission: "profile:write",
  input: passwordChangeSchema.extend(browserField),
  run: async (context, { currentPassword, newPassword, browser }): Promise<ChangedPassword> => {
    const { db } = context;
    const { email } = requireUser(context.actor);
    const given = { email, password: currentPassword, field: "currentPassword", browser };
    const user = await confirmPassword(db, given);
    const { userId } = user;
    const passwordHash = await hashNewPassword(newPassword);
    if (passwordHash === null) throw commonPasswordError("newPassword");
    await db.$transaction(async (tx) => {
      if (!(await replacePassword(tx, user, passwordHash)))
        throw new AppError("conflict", "The password was just changed elsewhere. Try again.");
      await auditPerson(context, { userId, email }, { event: "user.password.changed" }, tx);
    });
    log.info("password.changed", { userId });
    return { userId, sessionId: await createSession(db, { userId, passwordHash }, browser) };
  },
});
