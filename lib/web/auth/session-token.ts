import { decode, encode } from "next-auth/jwt";
import { z } from "zod";

/** What a session cookie holds, encrypted. `use` keeps tokens that were made for another purpose out. */
const sessionTokenSchema = z.object({
  use: z.literal("session"),
  /** The user. */
  sub: z.uuid(),
  /** The row that lets it be ended. */
  sid: z.uuid(),
});

export type SessionToken = z.output<typeof sessionTokenSchema>;

export const sessionMaxAgeSeconds = 30 * 86_400;

export function sessionCookie(isHttps: boolean) {
  return {
    name: `${isHttps ? "__Host-" : ""}catchment.session`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps },
  } as const;
}

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

/** Null for what is forged, expired, damaged or made for something else. Says nothing about whether it was ended. */
export async function readSessionToken(
  cookie: string,
  secret: string,
): Promise<SessionToken | null> {
  // jose has no other way to say that a token is not one of ours.
  const payload = await decode({ token: cookie, secret }).catch(() => null);
  return isSessionToken(payload) ? payload : null;
}

export function isSessionToken(payload: unknown): payload is SessionToken {
  return sessionTokenSchema.safeParse(payload).success;
}
