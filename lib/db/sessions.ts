import { newId } from "#lib/ids.ts";
import type { Database } from "./client.ts";
import type { UserCredentials } from "./users.ts";

export type Role = "owner" | "admin" | "member";

/** Who a session belongs to, as the database knows it now. */
export type SessionUser = {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly accountId: string;
  readonly accountSlug: string;
  readonly accountName: string;
  readonly role: Role;
};

/** What is remembered of the browser, so that its owner knows it again. */
export type SessionClient = { readonly userAgent: string; readonly address: string | null };

export type SessionSummary = SessionClient & {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

export const sessionDays = 30;

/**
 * Makes a session of a user whose password was right, and forgets those that have expired. Null when the password
 * has been changed since `user` was read: a sign-in that was under way must not outlive the change.
 */
export async function createSession(
  db: Database,
  user: UserCredentials,
  { userAgent, address }: SessionClient,
): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with expired as (
      delete from sessions where expires_at < now()
    ), holder as (
      select id from users where id = ${user.userId}::uuid and password_hash = ${user.passwordHash} for share
    )
    insert into sessions (id, user_id, expires_at, user_agent, address)
    select ${newId()}::uuid, id, now() + make_interval(days => ${sessionDays}::int), ${toStorable(userAgent)}, ${address}
    from holder returning id`;
  return rows[0]?.id ?? null;
}

/**
 * The user of a session and the account that they joined first; null when the session was ended or has expired, or no
 * membership is left. Notes at most once a minute that it was seen.
 */
export async function findSessionUser(
  db: Database,
  session: { readonly userId: string; readonly sessionId: string },
): Promise<SessionUser | null> {
  const rows = await db.$queryRaw<SessionRow[]>`
    with found as (
      select id, user_id, last_seen_at from sessions
      where id = ${session.sessionId}::uuid and user_id = ${session.userId}::uuid and expires_at > now()
    ), noted as (
      update sessions set last_seen_at = now()
      where id = (select id from found where last_seen_at < now() - interval '1 minute')
    )
    select u.id, u.email, u.name, m.account_id, a.slug, a.name as account_name, m.role
    from found join users u on u.id = found.user_id
      join memberships m on m.user_id = u.id join accounts a on a.id = m.account_id
    order by m.created_at, m.account_id limit 1`;
  const row = rows[0];
  if (row === undefined || !isRole(row.role)) return null;
  return {
    sessionId: session.sessionId,
    userId: row.id,
    email: row.email,
    name: row.name,
    accountId: row.account_id,
    accountSlug: row.slug,
    accountName: row.account_name,
    role: row.role,
  };
}

/** Where a user is signed in, last seen first: at most 100. */
export async function listSessions(db: Database, userId: string): Promise<readonly SessionSummary[]> {
  return await db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: 100,
    omit: { userId: true, expiresAt: true },
  });
}

/** Ends one session of this user, in every process, from its next request on. False when there is none. */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } });
  return count > 0;
}

export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } });
}

type SessionRow = {
  id: string;
  email: string;
  name: string;
  account_id: string;
  slug: string;
  account_name: string;
  role: string;
};

/** What browsers send for a name has no bound of its own. */
function toStorable(userAgent: string): string {
  return userAgent
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, 300);
}

const roles: ReadonlySet<string> = new Set<Role>(["owner", "admin", "member"]);

function isRole(text: string): text is Role {
  return roles.has(text);
}
