import type { Database } from "./client.ts";

export type UserCredentials = {
  readonly userId: string;
  readonly passwordHash: string;
  readonly sessionVersion: number;
};

export type Role = "owner" | "admin" | "member";

/** Who a session belongs to, as the database knows it now. */
export type SessionUser = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly accountId: string;
  readonly accountSlug: string;
  readonly role: Role;
};

/** `email` in its normal form. */
export async function findUserCredentials(db: Database, email: string): Promise<UserCredentials | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, sessionVersion: true },
  });
  if (user === null) return null;
  return { userId: user.id, passwordHash: user.passwordHash, sessionVersion: user.sessionVersion };
}

/**
 * The user of a session that was made with this session version, and the account that they joined first; null when
 * the version has been raised since, the user is gone, or no membership is left.
 */
export async function findSessionUser(
  db: Database,
  session: { readonly userId: string; readonly sessionVersion: number },
): Promise<SessionUser | null> {
  const rows = await db.$queryRaw<
    { id: string; email: string; name: string; account_id: string; slug: string; role: string }[]
  >`
    select u.id, u.email, u.name, m.account_id, a.slug, m.role
    from users u join memberships m on m.user_id = u.id join accounts a on a.id = m.account_id
    where u.id = ${session.userId}::uuid and u.session_version = ${session.sessionVersion}
    order by m.created_at, m.account_id limit 1`;
  const row = rows[0];
  if (row === undefined || !isRole(row.role)) return null;
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    accountId: row.account_id,
    accountSlug: row.slug,
    role: row.role,
  };
}

/** Ends every session of this user, in every process, from their next request on. */
export async function raiseSessionVersion(db: Database, userId: string): Promise<void> {
  await db.user.updateMany({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
}

const roles: ReadonlySet<string> = new Set<Role>(["owner", "admin", "member"]);

function isRole(text: string): text is Role {
  return roles.has(text);
}
