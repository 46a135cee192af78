import { createSession } from "#lib/db/accounts/sessions.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { checkSignIn } from "#lib/services/account/check-sign-in.ts";
import { readDeviceToken, writeDeviceToken } from "./device-token.ts";
import { readSessionToken } from "./session-token.ts";

/** The parts of a sign-in request besides email and password. */
export type SignInBrowser = {
  readonly userAgent: string;
  readonly address: string | null;
  readonly sessionCookie: string | undefined;
  readonly deviceCookie: string | undefined;
};

export type SignedIn =
  | {
      readonly ok: true;
      readonly userId: string;
      readonly sessionId: string;
      /** The token for the browser to store. */
      readonly deviceToken: string;
    }
  | { readonly ok: false; readonly code: "wrong" }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

/** Signs in with an email and password and replaces this browser's session. */
export async function signIn(
  { db, sessionSecret }: { readonly db: Database; readonly sessionSecret: string },
  given: unknown,
  { userAgent, address, sessionCookie, deviceCookie }: SignInBrowser,
): Promise<SignedIn> {
  const findDevice = (email: string) => readDeviceToken(deviceCookie, email, sessionSecret);
  const checked = await checkSignIn(db, given, { address, findDevice });
  if (!checked.ok) return checked;
  const before =
    sessionCookie === undefined ? null : await readSessionToken(sessionCookie, sessionSecret);
  const replaced = before === null ? null : { userId: before.sub, sessionId: before.sid };
  const sessionId = await createSession(db, checked.user, { userAgent, address }, replaced);
  if (sessionId === null) return { ok: false, code: "wrong" };
  const deviceToken = await writeDeviceToken(checked.email, sessionSecret);
  return { ok: true, userId: checked.user.userId, sessionId, deviceToken };
}
