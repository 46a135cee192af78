import { randomBytes } from "node:crypto";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import { endAccess } from "#lib/db/accounts/users.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { deleteTotpSecret } from "./totp-secrets.ts";

/**
 * Creates the token of a link that resets a user's password: 256 random bits, valid for an hour by
 * the database's clock. Only its SHA-256 is stored. Null if no user has the email. It waits for a change
 * of the email that is in progress: the old mailbox gets no link.
 */
export async function createPasswordReset(db: Database, email: string): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  const created = await db.$executeRaw`
    with expired as (delete from password_resets where expires_at < now())
    insert into password_resets (token_hash, user_id, expires_at)
    select ${hashToken(token)}, id, now() + interval '1 hour' from users where email = ${email}
    for key share`;
  return created === 1 ? token : null;
}

/** True if the token can still be used. */
export async function isPasswordResetOpen(db: Database, token: string): Promise<boolean> {
  if (!tokenPattern.test(token)) return false;
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from password_resets where token_hash = ${hashToken(token)} and expires_at > now()`;
  return rows.length > 0;
}

/**
 * Uses up the token, sets the password, and ends every session of the user and every other link.
 * Returns the user, or null if the token can't be used.
 */
export async function consumePasswordReset(
  tx: Transaction,
  token: string,
  passwordHash: string,
): Promise<{ readonly userId: string; readonly email: string } | null> {
  const [used] = await tx.$queryRaw<{ user_id: string }[]>`
    delete from password_resets where token_hash = ${hashToken(token)} and expires_at > now()
    returning user_id`;
  if (used === undefined) return null;
  const userId = used.user_id;
  // The link was in the mailbox of the email: a new one deletes the links of the old one.
  const data = { passwordHash, emailVerifiedAt: new Date() };
  const { email } = await tx.user.update({ where: { id: userId }, data });
  await endAccess(tx, userId);
  return { userId, email };
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Sets a user's password without asking for the current one and ends all of their sessions. For the
 * operator of the machine. Expects a normalized `email`. Returns the user's id, or null if there is
 * no such user.
 */
export async function resetPassword(
  tx: Transaction,
  email: string,
  passwordHash: string,
): Promise<string | null> {
  const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
  if (user === null) return null;
  await tx.user.update({ where: { id: user.id }, data: { passwordHash } });
  // The way back in if the identity provider is down, or has rejected everyone.
  await tx.$executeRaw`
    update users set password_allowed_until = now() + interval '1 hour' where id = ${user.id}::uuid`;
  await deleteTotpSecret(tx, user.id);
  await tx.identity.updateMany({ where: { userId: user.id }, data: { rejectedAt: null } });
  await endAccess(tx, user.id);
  return user.id;
}
