import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { serverContext } from "#lib/services/frame/server-context.ts";

const challengeSchema = z.object({
  use: z.literal("challenge"),
  purpose: z.string(),
  challenge: z.string(),
});

/**
 * Signing in, or adding a passkey to this user, who has proven the password. A challenge for one of
 * them is none for the other: anyone may ask for one to sign in.
 */
type ChallengePurpose = "sign in" | `add to ${string}`;
const maxAgeSeconds = 5 * 60;

function challengeCookie(isHttps: boolean) {
  return {
    name: `${isHttps ? "__Host-" : ""}catchment.challenge`,
    options: { httpOnly: true, sameSite: "strict", path: "/", secure: isHttps } as const,
  };
}

/** Keeps the challenge of a passkey in an encrypted cookie of this browser, for five minutes. */
export async function keepChallenge(challenge: string, purpose: ChallengePurpose): Promise<void> {
  const { isHttps, sessionSecret } = serverContext();
  const token = { use: "challenge", purpose, challenge };
  const value = await encode({ token, secret: sessionSecret, maxAge: maxAgeSeconds });
  const { name, options } = challengeCookie(isHttps);
  (await cookies()).set(name, value, { ...options, maxAge: maxAgeSeconds });
}

/** The challenge of this browser for the purpose. Null: there is none any longer. */
export async function takeChallenge(purpose: ChallengePurpose): Promise<string | null> {
  const { isHttps, sessionSecret } = serverContext();
  const { name, options } = challengeCookie(isHttps);
  const jar = await cookies();
  const cookie = jar.get(name)?.value;
  // jose has no other way to say that a token isn't one of ours.
  const payload =
    cookie === undefined
      ? null
      : await decode({ token: cookie, secret: sessionSecret }).catch(() => null);
  const parsed = challengeSchema.safeParse(payload);
  if (!parsed.success) return null;
  jar.set(name, "", { ...options, maxAge: 0 });
  return parsed.data.purpose === purpose ? parsed.data.challenge : null;
}
