import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import {
  createSession,
  endSession as end,
  endAllSessions as endAll,
  isSessionAlive as isAlive,
} from "#lib/db/accounts/sessions.ts";
import { changePassword as replacePassword, updateUser } from "#lib/db/accounts/users.ts";
import { passwordChangeSchema, profileSchema } from "#lib/schema/account/account.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { startEmailChange } from "./email-change.ts";
import {
  browserField,
  commonPasswordError,
  confirmPassword,
  hashNewPassword,
} from "./passwords.ts";
import { auditPerson, requireUser } from "./person.ts";

/**
 * Changes the user's name and time zone, and begins to change their email: the new one counts once its mailbox has
 * confirmed it. It needs the password, because an abandoned session must not move the user to someone else's mailbox.
 * Returns the email to which a link was sent. Null: it stays.
 */
export const saveProfile = service({
  permission: "profile:write",
  input: profileSchema.extend(browserField),
  run: async (
    context,
    { name, email, timeZone, password = "", browser },
  ): Promise<string | null> => {
    const { db } = context;
    const user = requireUser(context.actor);
    const targets = [{ type: "user", id: user.userId, name: user.email }];
    const isChanging = email !== user.email;
    if (isChanging) {
      await confirmPassword(db, { email: user.email, password, field: "password", browser });
      await startEmailChange(context, user, email);
    }
    await db.$transaction(async (tx) => {
      await updateUser(tx, user.userId, { name, timeZone });
      await audit(context, { event: "user.updated", targets }, tx);
    });
    return isChanging ? email : null;
  },
});

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

/** True while the user's session lasts, and they belong to its account. */
export const isSessionAlive = service({
  permission: "account:read",
  input: noFields,
  run: async ({ db, actor }) => {
    const user = requireUser(actor);
    return await isAlive(db, user, user.accountId);
  },
});

/** Ends a session of the user. One that has ended already stays ended. */
export const endSession = service({
  permission: "profile:write",
  input: z.strictObject({ id: z.uuid() }),
  run: async (context, { id }): Promise<void> => {
    const { userId } = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      await end(tx, userId, id);
      await audit(context, { event: "session.ended", targets: [{ type: "session", id }] }, tx);
    });
  },
});

/** Ends every session of the user, including this one. */
export const endAllSessions = service({
  permission: "profile:write",
  input: noFields,
  run: async (context): Promise<void> => {
    const { userId, email } = requireUser(context.actor);
    await context.db.$transaction(async (tx) => {
      await endAll(tx, userId);
      const targets = [{ type: "user", id: userId, name: email }];
      await audit(context, { event: "session.all_ended", targets }, tx);
    });
  },
});
