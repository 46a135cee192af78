import { log } from "#lib/base/log.ts";
import { consumePasswordReset, isPasswordResetOpen } from "#lib/db/sign-in/password-resets.ts";
import { auditPerson } from "#lib/services/account/person.ts";
import { hashNewPassword } from "#lib/services/account/passwords.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

type Parts = Pick<ServiceParts, "db">;
type ResetResult = "reset" | "link_invalid" | "password_common";

/** True if the token of a link that was sent by email can set a password now. */
export async function isResetLinkOpen({ db }: Parts, token: string): Promise<boolean> {
  return await isPasswordResetOpen(db, token);
}

/**
 * Sets a password with a link that was sent by email. It signs no one in: a second factor is still
 * needed. There is no actor yet: the token authorizes.
 */
export async function resetPasswordByLink(
  parts: Parts & Pick<ServiceContext, "sealer" | "request">,
  token: string,
  password: string,
): Promise<ResetResult> {
  const { db } = parts;
  // The cheap check comes first, so that an attacker can't make us hash passwords.
  if (!(await isPasswordResetOpen(db, token))) return "link_invalid";
  const passwordHash = await hashNewPassword(password);
  if (passwordHash === null) return "password_common";
  const person = await db.$transaction(async (tx) => {
    const found = await consumePasswordReset(tx, token, passwordHash);
    if (found !== null) await auditPerson(parts, found, { event: "user.password.reset" }, tx);
    return found;
  });
  if (person === null) return "link_invalid";
  log.info("password.reset", { userId: person.userId, by: "email" });
  return "reset";
}
