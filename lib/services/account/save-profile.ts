import { updateUser } from "#lib/db/accounts/users.ts";
import { profileSchema } from "#lib/schema/account/account.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { browserField, confirmPassword } from "./confirm-password.ts";
import { startEmailChange } from "./email-change.ts";
import { requireUser } from "./require-user.ts";

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
