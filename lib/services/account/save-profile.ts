import { changeEmail, updateUser } from "#lib/db/accounts/users.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { profileSchema } from "#lib/schema/account/account.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";
import { browserField, confirmPassword } from "./confirm-password.ts";
import { requireUser } from "./require-user.ts";

/**
 * Changes the user's name, time zone, and email. A new email needs the password: its owner can sign in, and the
 * old address no longer can.
 */
export const saveProfile = service({
  permission: "profile:write",
  input: profileSchema.extend(browserField),
  run: async (context, { name, email, timeZone, password = "", browser }): Promise<void> => {
    const { db } = context;
    const user = requireUser(context.actor);
    const targets = [{ type: "user", id: user.userId }];
    if (email !== user.email) {
      await confirmPassword(db, { email: user.email, password, field: "password", browser });
      if (!(await changeEmail(db, user, email))) {
        const errors = [{ path: "email", code: "conflict", message: "is already in use" } as const];
        throw new AppError("conflict", checkFields, { errors });
      }
      log.info("email.changed", { userId: user.userId });
      await audit(context, { event: "user.email.changed", targets });
    }
    await updateUser(db, user.userId, { name, timeZone });
    await audit(context, { event: "user.updated", targets });
  },
});
