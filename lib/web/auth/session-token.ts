import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import type { SessionKey } from "#lib/services/sign-in/sessions.ts";

/** The encrypted content of a session cookie. `use` excludes tokens made for other purposes. */
const sessionTokenSchema = z.object({
  use: z.literal("session"),
  /** The user. */
  sub: z.uuid(),
  /** The id of the session's row, which allows ending the session. */
  sid: z.uuid(),
});

type SessionToken = z.output<typeof sessionTokenSchema>;

export const sessionMaxAgeSeconds = 30 * 86_400;

export async function writeSessionToken(
  token: Omit<SessionToken, "use">,
  secret: string,
): Promise<string> {
  return await encode({
    token: { use: "session", ...token },
    secret,
    maxAge: sessionMaxAgeSeconds,
  });
}

/**
 * Reads a session token. Null if it is forged, expired, damaged, or made for another purpose.
 * Doesn't check if the session was ended.
 */
export async function readSessionToken(
  cookie: string,
  secret: string,
): Promise<SessionToken | null> {
  // jose has no other way to say that a token isn't one of ours.
  const payload = await decode({ token: cookie, secret }).catch(() => null);
  return isSessionToken(payload) ? payload : null;
}

/** The session that a cookie names, of any user. It may have ended. Null: no session. */
export async function readSessionKeyOf(
  cookie: string | undefined,
  secret: string,
): Promise<SessionKey | null> {
  const token = cookie === undefined ? null : await readSessionToken(cookie, secret);
  return token === null ? null : { userId: token.sub, sessionId: token.sid };
}

export function isSessionToken(payload: unknown): payload is SessionToken {
  return sessionTokenSchema.safeParse(payload).success;
}
