import { createHash } from "node:crypto";
import { cookies, headers } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { newId } from "#lib/base/ids.ts";
import type { Browser } from "#lib/services/account/passwords.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { readClientKey } from "#lib/web/request/request-origin.ts";

/** A browser's encrypted token after a sign-in. `use` excludes tokens made for other purposes. */
const deviceTokenSchema = z.object({
  use: z.literal("device"),
  /** The user, by a hash of the email. */
  sub: z.string(),
  device: z.uuid(),
});

export const deviceMaxAgeSeconds = 365 * 86_400;

export function deviceCookie(isHttps: boolean) {
  return {
    name: `${isHttps ? "__Host-" : ""}catchment.device`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps },
  } as const;
}

/** Writes a token for a browser whose user has just proven the password. It signs no one in. */
export async function writeDeviceToken(email: string, secret: string): Promise<string> {
  const token = { use: "device", sub: hashEmail(email), device: newId() };
  return await encode({ token, secret, maxAge: deviceMaxAgeSeconds });
}

/** The browser's id, if this user has signed in with it before. */
export async function readDeviceToken(
  cookie: string | undefined,
  email: string,
  secret: string,
): Promise<string | null> {
  if (cookie === undefined) return null;
  // jose has no other way to say that a token isn't one of ours.
  const payload = await decode({ token: cookie, secret }).catch(() => null);
  const parsed = deviceTokenSchema.safeParse(payload);
  return parsed.success && parsed.data.sub === hashEmail(email) ? parsed.data.device : null;
}

function hashEmail(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}

/** The browser that sent the request, for the rate limit of passwords and the list of sessions. */
export async function readBrowser(): Promise<Browser> {
  const { isHttps, sessionSecret } = serverContext();
  const sent = await headers();
  const cookie = (await cookies()).get(deviceCookie(isHttps).name)?.value;
  return {
    userAgent: sent.get("user-agent") ?? "",
    address: readClientKey(sent),
    findDevice: (email) => readDeviceToken(cookie, email, sessionSecret),
  };
}
