import {
  endSession as end,
  findSessionPerson,
  findSessionUser,
  createSession as insertSession,
  type SessionClient,
  type SessionKey,
  type SessionPerson,
  type SessionUser,
} from "#lib/db/accounts/sessions.ts";
import type { UserCredentials } from "#lib/db/accounts/users.ts";
import { isPasswordAllowed } from "#lib/db/sign-in/identities.ts";
import { findUserById } from "#lib/db/sign-in/users.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

export type { SessionKey, SessionPerson, SessionUser, UserCredentials };

type Parts = Pick<ServiceParts, "db">;

/**
 * The user of a session and the account that it shows. Null: the session has ended, or the user
 * belongs to no account.
 *
 * @param accountId only this account, whichever the session shows
 */
export async function findSession(
  { db }: Parts,
  key: SessionKey,
  accountId?: string,
): Promise<SessionUser | null> {
  return await findSessionUser(db, key, accountId);
}

/** The person of a session, whether or not they belong to an account. Null: it has ended. */
export async function findPerson({ db }: Parts, key: SessionKey): Promise<SessionPerson | null> {
  return await findSessionPerson(db, key);
}

/**
 * Creates a session for a user who has proven who they are. Null: the user has another password by
 * now, or was rejected by the identity provider.
 *
 * @param replaced the session that this browser had until now, of any user
 */
export async function createSession(
  { db }: Parts,
  user: UserCredentials,
  client: SessionClient,
  replaced: SessionKey | null,
): Promise<string | null> {
  return await insertSession(db, user, client, replaced);
}

/** Ends one session. Other browsers of the user stay signed in. */
export async function endSession({ db }: Parts, key: SessionKey): Promise<void> {
  await end(db, key.userId, key.sessionId);
}

/** A user with the password that a session depends on. Null: there is none. */
export async function findUser({ db }: Parts, userId: string) {
  return await findUserById(db, userId);
}

/** True unless the identity provider is the only way to sign in for this user now. */
export async function maySignInByPassword(
  { db, env }: PasswordParts,
  userId: string,
): Promise<boolean> {
  return env.oidc?.isOnly !== true || (await isPasswordAllowed(db, userId));
}

/** The environment decides about passwords. */
export type PasswordParts = Parts & {
  readonly env: { readonly oidc: { readonly isOnly: boolean } | undefined };
};
