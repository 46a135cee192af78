import type { SessionKey } from "#lib/db/accounts/sessions.ts";
import { hasTwoFactor } from "#lib/db/sign-in/totp-secrets.ts";
import { checkSignIn, type SignInClient } from "#lib/services/account/passwords.ts";
import {
  createSession,
  maySignInByPassword,
  type PasswordParts,
  type UserCredentials,
} from "./sessions.ts";

type PasswordSignIn =
  | {
      readonly ok: true;
      readonly userId: string;
      readonly sessionId: string;
      readonly email: string;
    }
  | { readonly ok: false; readonly code: "wrong" }
  /** The password was correct, and a code has to follow. There is no session yet. */
  | { readonly ok: false; readonly code: "second_factor"; readonly user: UserCredentials }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

type Client = SignInClient & {
  readonly userAgent: string;
  /** Returns the session that this browser had until now, of any user. */
  readonly findReplaced: () => Promise<SessionKey | null>;
};

/** Creates a session for an email and password. */
export async function signInWithPassword(
  parts: PasswordParts,
  given: unknown,
  { userAgent, findReplaced, ...client }: Client,
): Promise<PasswordSignIn> {
  const checked = await checkSignIn(parts.db, given, client);
  if (!checked.ok) return checked;
  const { user, email } = checked;
  // After the check of the password, so that no one learns who may use one.
  if (!(await maySignInByPassword(parts, user.userId))) return { ok: false, code: "wrong" };
  if (await hasTwoFactor(parts.db, user.userId)) return { ok: false, code: "second_factor", user };
  const browser = { userAgent, address: client.address };
  const sessionId = await createSession(parts.db, user, browser, await findReplaced());
  if (sessionId === null) return { ok: false, code: "wrong" };
  return { ok: true, userId: user.userId, email, sessionId };
}
