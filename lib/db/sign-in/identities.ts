import { createHash } from "node:crypto";
import type { IdentityKey } from "#lib/core/people/sign-in/check-token.ts";
import type { KnownUsers } from "#lib/core/people/sign-in/decide-sign-in.ts";
import { endAccess, type UserCredentials } from "#lib/db/accounts/users.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { isRole, type Role } from "#lib/schema/account/role.ts";
import { deleteTotpSecret } from "./totp-secrets.ts";

/** Serializes the sign-ins of one person, so that two at once don't create two users. */
export async function lockIdentity(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  email: string | null,
): Promise<void> {
  for (const name of [`${issuer} ${subject}`, `email ${email ?? ""}`].toSorted()) {
    const key = createHash("sha256").update(name).digest().readBigInt64BE();
    await tx.$executeRaw`select pg_advisory_xact_lock(${key}::bigint)`;
  }
}

/** The users that could be the person, and whether the mailbox of their email is known to be theirs. */
export async function findKnownUsers(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  email: string | null,
): Promise<KnownUsers> {
  const identity = await tx.identity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { userId: true },
  });
  const user =
    email === null
      ? null
      : await tx.user.findUnique({ where: { email }, select: { id: true, emailVerifiedAt: true } });
  const byEmail =
    user === null ? null : { userId: user.id, isVerified: user.emailVerifiedAt !== null };
  return { byIdentity: identity?.userId ?? null, byEmail };
}

/**
 * Finds the account with the slug, or the oldest one, and locks it until the transaction ends: before the
 * audit logs, as every change of an account does. Null: there is none, or it was just deleted.
 */
export async function lockSignInAccount(
  tx: Transaction,
  slug: string | undefined,
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from accounts where deleted_at is null and (${slug ?? null}::text is null or slug = ${slug ?? null})
    order by created_at, id limit 1 for no key update`;
  return rows[0]?.id ?? null;
}

/**
 * Connects the person with a user, and records that they were accepted. An earlier rejection ends, also
 * one as another subject: the provider may have made the person again.
 */
export async function acceptIdentity(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  userId: string,
): Promise<UserCredentials & { readonly email: string }> {
  await tx.$executeRaw`
    insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId}::uuid)
    on conflict (issuer, subject) do update set last_sign_in_at = now()`;
  await tx.identity.updateMany({ where: { userId }, data: { rejectedAt: null } });
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  return { userId, passwordHash: user.passwordHash, email: user.email };
}

/**
 * Ends every way in that a user had so far: their password, passkeys, second factor, sessions, links, identities of
 * every issuer, and API tokens of every account.
 */
export async function endOtherAccess(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  const data = { passwordHash, passwordAllowedUntil: null };
  await tx.user.update({ where: { id: userId }, data });
  await tx.passkey.deleteMany({ where: { userId } });
  await deleteTotpSecret(tx, userId);
  await tx.identity.deleteMany({ where: { userId } });
  await endAccess(tx, userId);
  await tx.apiToken.updateMany({
    where: { createdBy: userId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

/** Records that the issuer calls the email verified that the user has here. Another one counts for nothing. */
export async function noteVerifiedEmail(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<void> {
  await tx.user.updateMany({
    where: { id: userId, email, emailVerifiedAt: null },
    data: { emailVerifiedAt: new Date() },
  });
}

/** Records that the person was rejected, which keeps every session of theirs from beginning. */
export async function rejectIdentity(
  tx: Transaction,
  { issuer, subject }: IdentityKey,
  userId: string,
): Promise<{ readonly email: string }> {
  await tx.$executeRaw`
    update identities set rejected_at = now() where issuer = ${issuer} and subject = ${subject}`;
  // A separate statement: it sees sessions that a concurrent sign-in created while it held the row.
  await tx.session.deleteMany({ where: { userId } });
  return await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
}

/**
 * Makes the user a member with this role, or changes the role. The last owner stays one: an account
 * without owners could never get one again. Call under `lockSignInAccount`.
 *
 * @param role null: only a user who isn't a member yet gets one, the least
 * @returns the roles before and after; null before: they weren't a member
 */
export async function putMembership(
  tx: Transaction,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  role: Role | null,
): Promise<{ readonly before: Role | null; readonly after: Role }> {
  const key = { accountId_userId: { accountId, userId } };
  const membership = await tx.membership.findUnique({ where: key, select: { role: true } });
  if (membership === null) {
    const given = role ?? "viewer";
    await tx.membership.create({ data: { accountId, userId, role: given } });
    return { before: null, after: given };
  }
  const before = isRole(membership.role) ? membership.role : "viewer";
  if (role === null || role === before) return { before, after: before };
  if (before === "owner") {
    const others = await tx.membership.count({
      where: { accountId, role: "owner", userId: { not: userId } },
    });
    if (others === 0) return { before, after: before };
  }
  await tx.membership.update({ where: key, data: { role } });
  return { before, after: role };
}

/** True if an identity provider knows the user. */
export async function hasIdentity(db: Database, userId: string): Promise<boolean> {
  return (await db.identity.findFirst({ where: { userId }, select: { userId: true } })) !== null;
}

/** True for an hour after the password was reset on the machine. */
export async function isPasswordAllowed(db: Database, userId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from users where id = ${userId}::uuid and password_allowed_until > now()`;
  return rows.length > 0;
}
