import { changeEmail, updateUser } from "#lib/db/accounts/users.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { profileSchema } from "#lib/schema/account/account.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";
import { auditPerson } from "./audit-person.ts";
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
    const targets = [{ type: "user", id: user.userId, name: user.email }];
    if (email !== user.email) {
      await confirmPassword(db, { email: user.email, password, field: "password", browser });
      await db.$transaction(async (tx) => {
        if (!(await changeEmail(tx, user, email))) throw emailInUse();
        const states = { before: { email: user.email }, after: { email } };
        await auditPerson(context, user, { event: "user.email.changed", ...states }, tx);
      });
      log.info("email.changed", { userId: user.userId });
    }
    await db.$transaction(async (tx) => {
      await updateUser(tx, user.userId, { name, timeZone });
      await audit(context, { event: "user.updated", targets }, tx);
    });
  },
});

function emailInUse(): AppError {
  const errors = [{ path: "email", code: "conflict", message: "is already in use" } as const];
  return new AppError("conflict", checkFields, { errors });
}
