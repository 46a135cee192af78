import { newId } from "#lib/base/ids.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { isAtLeast, isRole, type Role } from "#lib/schema/account/role.ts";
import type { UserCredentials } from "./users.ts";

/** The user of a session, as currently stored in the database. */
export type SessionUser = {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** An IANA name. Null: that of the browser. */
  readonly timeZone: string | null;
  readonly accountId: string;
  readonly accountSlug: string;
  readonly accountName: string;
  readonly role: Role;
  /** The account's fields that this user sees masked. */
  readonly maskedFields: readonly string[];
  /** Notices that no one of the account sees again. */
  readonly dismissedNotices: readonly string[];
};

/** Browser details that let users recognize a session in the list. */
export type SessionClient = { readonly userAgent: string; readonly address: string | null };

/** Identifies a session. */
export type SessionKey = { readonly userId: string; readonly sessionId: string };

type SessionSummary = SessionClient & {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

const sessionDays = 30;

/**
 * Creates a session for a user whose password was correct, and deletes expired ones. Null if the
 * password has changed since `user` was read: a sign-in in progress must not outlive the change. Null
 * too if the identity provider has rejected the user.
 *
 * @param replaced the session that this browser had until now, of any user
 */
export async function createSession(
  db: Database,
  user: UserCredentials,
  { userAgent, address }: SessionClient,
  replaced: SessionKey | null = null,
): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with holder as (
      select id from users where id = ${user.userId}::uuid and password_hash = ${user.passwordHash}
        and not exists (select 1 from identities i where i.user_id = users.id and i.rejected_at is not null)
      for share
    ), ended as (
      delete from sessions where expires_at < now()
        or (id = ${replaced?.sessionId ?? null}::uuid and user_id = ${replaced?.userId ?? null}::uuid
          and exists (select 1 from holder))
    )
    insert into sessions (id, user_id, account_id, expires_at, user_agent, address)
    select ${newId()}::uuid, id, (
        select account_id from memberships where user_id = holder.id order by created_at, account_id limit 1
      ), now() + make_interval(days => ${sessionDays}::int), ${toStorable(userAgent)}, ${address}
    from holder returning id`;
  return rows[0]?.id ?? null;
}

/**
 * The user of a session and its account: the chosen one, or else the one they joined first. Null if
 * the session has ended or expired, or the user has no membership left. Records at most once a minute that it was seen.
 *
 * @param accountId only this account, whichever the session shows
 */
export async function findSessionUser(
  db: Database,
  session: SessionKey,
  accountId: string | null = null,
): Promise<SessionUser | null> {
  const rows = await db.$queryRaw<SessionRow[]>`
    with found as (
      select id, user_id, account_id, last_seen_at from sessions
      where id = ${session.sessionId}::uuid and user_id = ${session.userId}::uuid and expires_at > now()
    ), noted as (
      update sessions set last_seen_at = now()
      where id = (select id from found where last_seen_at < now() - interval '1 minute')
    )
    select u.id, u.email, u.name, u.time_zone, m.account_id, a.slug, a.name as account_name, m.role, a.masked_fields,
      a.dismissed_notices
    from found join users u on u.id = found.user_id
      join memberships m on m.user_id = u.id join accounts a on a.id = m.account_id
    where ${accountId}::uuid is null or m.account_id = ${accountId}::uuid
    order by m.account_id is not distinct from found.account_id desc, m.created_at, m.account_id limit 1`;
  const row = rows[0];
  if (row === undefined || !isRole(row.role)) return null;
  return {
    sessionId: session.sessionId,
    userId: row.id,
    email: row.email,
    name: row.name,
    timeZone: row.time_zone,
    accountId: row.account_id,
    accountSlug: row.slug,
    accountName: row.account_name,
    role: row.role,
    maskedFields: isAtLeast(row.role, "member") ? [] : row.masked_fields,
    dismissedNotices: row.dismissed_notices,
  };
}

/** A signed-in person, whether or not they belong to an account. */
export type SessionPerson = SessionKey & { readonly email: string; readonly name: string };

/** The person of a session. Null if it has ended or expired. */
export async function findSessionPerson(
  db: Database,
  { sessionId, userId }: SessionKey,
): Promise<SessionPerson | null> {
  const found = await db.session.findFirst({
    where: { id: sessionId, userId, expiresAt: { gt: new Date() } },
    select: { user: { select: { email: true, name: true } } },
  });
  return found === null ? null : { sessionId, userId, ...found.user };
}

/** Lets a session show another account of its user. False if they don't belong to it. */
export async function chooseAccount(
  db: Database | Transaction,
  { sessionId, userId }: SessionKey,
  accountId: string,
): Promise<boolean> {
  const count = await db.$executeRaw`
    update sessions set account_id = ${accountId}::uuid
    where id = ${sessionId}::uuid and user_id = ${userId}::uuid
      and exists (select 1 from memberships where account_id = ${accountId}::uuid and user_id = ${userId}::uuid)`;
  return count > 0;
}

/**
 * True if a session is active and its user still belongs to the account. This check doesn't update
 * when the session was last seen.
 */
export async function isSessionAlive(
  db: Database,
  session: SessionKey,
  accountId: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from sessions s join memberships m on m.user_id = s.user_id and m.account_id = ${accountId}::uuid
    where s.id = ${session.sessionId}::uuid and s.user_id = ${session.userId}::uuid and s.expires_at > now()`;
  return rows.length > 0;
}

/** Lists the sessions of a user, most recently seen first, at most 100. */
export async function listSessions(
  db: Database,
  userId: string,
): Promise<readonly SessionSummary[]> {
  return await db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: 100,
    omit: { userId: true, expiresAt: true, accountId: true },
  });
}

/**
 * Ends one session of this user in every process, from its next request on. False if there is none.
 */
export async function endSession(
  db: Database | Transaction,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } });
  return count > 0;
}

export async function endAllSessions(db: Database | Transaction, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } });
}

type SessionRow = {
  id: string;
  email: string;
  name: string;
  time_zone: string | null;
  account_id: string;
  slug: string;
  account_name: string;
  role: string;
  masked_fields: string[];
  dismissed_notices: string[];
};

/** Browsers may send a user agent of any length. */
function toStorable(userAgent: string): string {
  return userAgent
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, 300);
}
