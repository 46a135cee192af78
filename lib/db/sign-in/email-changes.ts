import { randomBytes } from "node:crypto";
import { hashToken } from "#lib/db/accounts/hash-token.ts";
import { changeEmail } from "#lib/db/accounts/users.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { emailLinkHours } from "#lib/schema/account/account.ts";

/** An email whose mailbox hasn't confirmed it yet. */
export type EmailChange = { readonly email: string; readonly expiresAt: Date };

/**
 * Creates the token of the link that is sent to a mailbox: 256 random bits, valid for a day by the database's
 * clock. Only its SHA-256 is stored. A person's earlier link stops working. Null if someone else has the email.
 */
export async function putEmailChange(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  const count = await tx.$executeRaw`
    insert into email_changes (user_id, email, token_hash, expires_at)
    select id, ${email}, ${hashToken(token)}, now() + make_interval(hours => ${emailLinkHours}::int) from users
    where id = ${userId}::uuid and not exists (select 1 from users where email = ${email} and id <> ${userId}::uuid)
    on conflict (user_id) do update
      set email = excluded.email, token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
  return count === 1 ? token : null;
}

/** The email that a person is changing to, or confirming. Null: none. */
export async function findEmailChange(
  db: Database | Transaction,
  userId: string,
): Promise<EmailChange | null> {
  return await db.emailChange.findUnique({
    where: { userId },
    select: { email: true, expiresAt: true },
  });
}

/** Its link stops working at once. False if there is none. */
export async function deleteEmailChange(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.emailChange.deleteMany({ where: { userId } })).count > 0;
}

/** The email that the link confirms for this person. Null: it is unknown, used, replaced, expired, or someone else's. */
export async function findLinkedEmail(
  db: Database,
  userId: string,
  token: string,
): Promise<string | null> {
  if (!tokenPattern.test(token)) return null;
  const rows = await db.$queryRaw<{ email: string }[]>`
    select email from email_changes
    where token_hash = ${hashToken(token)} and user_id = ${userId}::uuid and expires_at > now()`;
  return rows[0]?.email ?? null;
}

/**
 * Uses up the link: from now on, the person has its email, and it is verified. Null if the link can't be used, and
 * `in_use` if someone else got the email meanwhile.
 */
export async function consumeEmailChange(
  tx: Transaction,
  session: { readonly userId: string; readonly sessionId: string },
  token: string,
): Promise<{ readonly before: string; readonly after: string } | "in_use" | null> {
  const { userId } = session;
  const [used] = await tx.$queryRaw<{ email: string }[]>`
    delete from email_changes
    where token_hash = ${hashToken(token)} and user_id = ${userId}::uuid and expires_at > now() returning email`;
  if (used === undefined) return null;
  const where = { id: userId };
  const { email: before } = await tx.user.findUniqueOrThrow({ where, select: { email: true } });
  const after = used.email;
  if (before === after) await verifyEmail(tx, userId);
  else if (!(await changeEmail(tx, session, after))) return "in_use";
  return { before, after };
}

/** Records that this person reads the mailbox of their email. */
export async function verifyEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } });
}

/** True if it was shown that this person reads the mailbox of their email. */
export async function isEmailVerified(
  db: Database | Transaction,
  userId: string,
): Promise<boolean> {
  const where = { id: userId, emailVerifiedAt: { not: null } };
  return (await db.user.count({ where })) > 0;
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
