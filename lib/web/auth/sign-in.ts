import { createSession } from "#lib/db/accounts/sessions.ts";
import type { UserCredentials } from "#lib/db/accounts/users.ts";
import { isPasswordAllowed } from "#lib/db/sign-in/identities.ts";
import { hasTwoFactor } from "#lib/db/sign-in/totp-secrets.ts";
import { checkSignIn } from "#lib/services/account/check-sign-in.ts";
import type { ServerContext } from "#lib/services/frame/server-context.ts";
import { readDeviceToken, writeDeviceToken } from "./device-token.ts";
import { readSessionToken } from "./session-token.ts";

/** The parts of a sign-in request besides email and password. */
type SignInBrowser = {
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
      readonly email: string;
      /** The token for the browser to store. */
      readonly deviceToken: string;
    }
  | { readonly ok: false; readonly code: "wrong" }
  /** The password was correct, and a code has to follow. There is no session yet. */
  | { readonly ok: false; readonly code: "second_factor"; readonly user: UserCredentials }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

/** Signs in with an email and password and replaces this browser's session. */
export async function signIn(
  {
    db,
    sessionSecret,
    env,
  }: Pick<ServerContext, "db" | "sessionSecret"> & {
    readonly env: { readonly oidc: { readonly isOnly: boolean } | undefined };
  },
  given: unknown,
  { userAgent, address, sessionCookie, deviceCookie }: SignInBrowser,
): Promise<SignedIn> {
  const findDevice = (email: string) => readDeviceToken(deviceCookie, email, sessionSecret);
  const checked = await checkSignIn(db, given, { address, findDevice });
  if (!checked.ok) return checked;
  const isOff = env.oidc?.isOnly === true;
  // After the check of the password, so that no one learns who may use one.
  if (isOff && !(await isPasswordAllowed(db, checked.user.userId)))
    return { ok: false, code: "wrong" };
  if (await hasTwoFactor(db, checked.user.userId))
    return { ok: false, code: "second_factor", user: checked.user };
  const before =
    sessionCookie === undefined ? null : await readSessionToken(sessionCookie, sessionSecret);
  const replaced = before === null ? null : { userId: before.sub, sessionId: before.sid };
  const sessionId = await createSession(db, checked.user, { userAgent, address }, replaced);
  if (sessionId === null) return { ok: false, code: "wrong" };
  const deviceToken = await writeDeviceToken(checked.email, sessionSecret);
  return { ok: true, userId: checked.user.userId, email: checked.email, sessionId, deviceToken };
}
