import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { sessionCookie } from "#lib/core/people/sign-in/session-cookie.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import {
  findSessionPerson,
  findSessionUser,
  type SessionKey,
  type SessionPerson,
  type SessionUser,
} from "#lib/services/sign-in/sessions.ts";
import { returnToHeader, toOwnPath } from "#lib/web/request/own-path.ts";
import { readSessionKeyOf, sessionMaxAgeSeconds, writeSessionToken } from "./session-token.ts";

/** The signed-in user, and the account that their session shows. */
export type Session = SessionUser;

/**
 * The signed-in user, or null. Asks the database once per request, so that an ended session, a
 * removed user, or a revoked role counts immediately.
 */
export const readSession = cache(async (): Promise<SessionUser | null> => {
  const key = await readSessionKey();
  return key === null ? null : await findSessionUser(serverContext().db, key);
});

/** The signed-in person, whether or not they belong to an account, or null. */
export const readPerson = cache(async (): Promise<SessionPerson | null> => {
  const key = await readSessionKey();
  return key === null ? null : await findSessionPerson(serverContext().db, key);
});

async function readSessionKey(): Promise<SessionKey | null> {
  const { isHttps, sessionSecret } = serverContext();
  const cookie = (await cookies()).get(sessionCookie(isHttps).name)?.value;
  return await readSessionKeyOf(cookie, sessionSecret);
}

/**
 * The signed-in user. Redirects to the sign-in page, and from there back. Every page and every
 * command calls it before it reads or changes anything.
 */
export async function requireSession(): Promise<SessionUser> {
  const session = await readSession();
  if (session !== null) return session;
  if ((await readPerson()) !== null) redirect("/no-account");
  const next = toOwnPath((await headers()).get(returnToHeader) ?? undefined);
  redirect(next === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`);
}

/** Gives this browser a new session, from a command. */
export async function setSessionCookie(session: {
  userId: string;
  sessionId: string;
}): Promise<void> {
  const { isHttps, sessionSecret } = serverContext();
  const { name, options } = sessionCookie(isHttps);
  const value = await writeSessionToken(
    { sub: session.userId, sid: session.sessionId },
    sessionSecret,
  );
  (await cookies()).set(name, value, { ...options, maxAge: sessionMaxAgeSeconds });
}
