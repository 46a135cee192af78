import { newId } from "#lib/base/ids.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";

export type UserCredentials = { readonly userId: string; readonly passwordHash: string };

/** Expects a normalized `email`. */
export async function findUserCredentials(
  db: Database,
  email: string,
): Promise<UserCredentials | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true },
  });
  return user === null ? null : { userId: user.id, passwordHash: user.passwordHash };
}

type NewUser = {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** It was shown that they read the mailbox: a message was sent there, or their issuer says so. */
  readonly isEmailVerified: boolean;
};

/** Creates a person who belongs to no account yet. Expects a normalized `email`. Null if it is in use. */
export async function insertUser(
  tx: Transaction,
  { isEmailVerified, ...user }: NewUser,
): Promise<string | null> {
  const id = newId();
  const data = { id, ...user, emailVerifiedAt: isEmailVerified ? new Date() : null };
  const { count } = await tx.user.createMany({ data: [data], skipDuplicates: true });
  return count > 0 ? id : null;
}

/** An omitted time zone stays. */
export async function updateUser(
  db: Database | Transaction,
  userId: string,
  { name, timeZone }: { readonly name: string; readonly timeZone?: string | null | undefined },
): Promise<void> {
  const zone = timeZone === undefined ? {} : { timeZone };
  await db.user.update({ where: { id: userId }, data: { name, ...zone } });
}

/**
 * Gives the user an email that counts as verified: the caller knows that they read its mailbox. Expects its normal
 * form. False if another user has it. Ends every other session of this user, so that anyone who signed in with the
 * old address has to sign in again.
 */
export async function changeEmail(
  db: Database | Transaction,
  session: { readonly userId: string; readonly sessionId: string | null },
  email: string,
): Promise<boolean> {
  const { userId, sessionId } = session;
  return await db.$transaction(async (tx) => {
    const changed = await tx.$executeRaw`
      update users set email = ${email}, email_verified_at = now()
      where id = ${userId}::uuid and not exists (select 1 from users where email = ${email} and id <> ${userId}::uuid)`;
    if (changed > 0) {
      const others = sessionId === null ? {} : { id: { not: sessionId } };
      await tx.session.deleteMany({ where: { userId, ...others } });
      // A link in the old mailbox would still reset the password.
      await deleteLinks(tx, userId);
    }
    return changed > 0;
  });
}

/**
 * Ends every session of a user whose password was just replaced, and every link that resets it or changes the email:
 * someone else may have asked for one.
 */
export async function endAccess(tx: Transaction, userId: string): Promise<void> {
  // A separate statement: it sees sessions that a concurrent sign-in created while it held the row.
  await tx.session.deleteMany({ where: { userId } });
  // Anyone who had a session may have allowed one.
  await tx.deviceSignIn.deleteMany({ where: { userId } });
  await tx.authorizationCode.deleteMany({ where: { userId } });
  await deleteLinks(tx, userId);
}

async function deleteLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.passwordReset.deleteMany({ where: { userId } });
  await tx.emailChange.deleteMany({ where: { userId } });
}

/**
 * Replaces the password and ends every session of this user. False if it has changed since `user`
 * was read.
 */
export async function changePassword(
  db: Database | Transaction,
  user: UserCredentials,
  passwordHash: string,
): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.userId, passwordHash: user.passwordHash },
      data: { passwordHash },
    });
    if (count > 0) await endAccess(tx, user.userId);
    return count > 0;
  });
}
