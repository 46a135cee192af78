import { createHash } from "node:crypto";
import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { serverContext } from "#lib/services/frame/server-context.ts";
import type { UserCredentials } from "#lib/services/sign-in/sessions.ts";

/** The encrypted token between the password and the second factor. It is no session. */
const pendingSchema = z.object({
  use: z.literal("second_factor"),
  /** The user. */
  sub: z.uuid(),
  /** A hash of the stored password: another password ends the sign-in. */
  password: z.string(),
});

const maxAgeSeconds = 10 * 60;

function pendingCookie(isHttps: boolean) {
  return {
    name: `${isHttps ? "__Host-" : ""}catchment.pending`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps } as const,
  };
}

/** Lets this browser continue with the second factor for ten minutes. */
export async function startPendingSignIn(user: UserCredentials): Promise<void> {
  const { isHttps, sessionSecret } = serverContext();
  const token = { use: "second_factor", sub: user.userId, password: hashOf(user) };
  const value = await encode({ token, secret: sessionSecret, maxAge: maxAgeSeconds });
  const { name, options } = pendingCookie(isHttps);
  (await cookies()).set(name, value, { ...options, maxAge: maxAgeSeconds });
}

/** The id of the user whose password this browser has just proven. Null: there is none. */
export async function readPendingSignIn(): Promise<{
  readonly userId: string;
  isOf(user: UserCredentials): boolean;
} | null> {
  const { isHttps, sessionSecret } = serverContext();
  const cookie = (await cookies()).get(pendingCookie(isHttps).name)?.value;
  if (cookie === undefined) return null;
  // jose has no other way to say that a token isn't one of ours.
  const payload = await decode({ token: cookie, secret: sessionSecret }).catch(() => null);
  const parsed = pendingSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { sub, password } = parsed.data;
  return { userId: sub, isOf: (user) => user.userId === sub && hashOf(user) === password };
}

export async function endPendingSignIn(): Promise<void> {
  const { name, options } = pendingCookie(serverContext().isHttps);
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

function hashOf({ passwordHash }: UserCredentials): string {
  return createHash("sha256").update(passwordHash).digest("base64url");
}
