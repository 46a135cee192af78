import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import {
  findEmailChange,
  findLinkedEmail,
  isEmailVerified,
} from "#lib/db/sign-in/email-changes.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The state of the signed-in person's email. */
export async function readEmailState(
  { db, env }: ServiceContext,
  { userId }: Pick<SessionUser, "userId">,
) {
  const [change, isVerified] = await Promise.all([
    findEmailChange(db, userId),
    isEmailVerified(db, userId),
  ]);
  return {
    nowMs: Date.now(),
    /** The email that they are changing to, or confirming. */
    change,
    isVerified,
    sendsEmail: env.mail !== undefined,
  };
}

/** The email that a link confirms for the signed-in person. Null: it doesn't work for them. */
export async function readEmailLink(
  { db }: ServiceContext,
  { userId }: Pick<SessionUser, "userId">,
  token: string,
): Promise<string | null> {
  return await findLinkedEmail(db, userId, token);
}
