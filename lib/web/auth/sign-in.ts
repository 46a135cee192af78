import type { ServerContext } from "#lib/services/frame/server-context.ts";
import type { PasswordParts } from "#lib/services/sign-in/sessions.ts";
import { signInWithPassword } from "#lib/services/sign-in/sign-in-with-password.ts";
import { readDeviceToken, writeDeviceToken } from "./device-token.ts";
import { readSessionKeyOf } from "./session-token.ts";

/** The parts of a sign-in request besides email and password. */
type SignInBrowser = {
  readonly userAgent: string;
  readonly address: string | null;
  readonly sessionCookie: string | undefined;
  readonly deviceCookie: string | undefined;
};

/**
 * Signs in with an email and password and replaces this browser's session. `deviceToken` is for the
 * browser to store.
 */
export async function signIn(
  { sessionSecret, ...parts }: PasswordParts & Pick<ServerContext, "sessionSecret">,
  given: unknown,
  { userAgent, address, sessionCookie, deviceCookie }: SignInBrowser,
) {
  const signedIn = await signInWithPassword(parts, given, {
    userAgent,
    address,
    findDevice: (email) => readDeviceToken(deviceCookie, email, sessionSecret),
    findReplaced: () => readSessionKeyOf(sessionCookie, sessionSecret),
  });
  if (!signedIn.ok) return signedIn;
  return { ...signedIn, deviceToken: await writeDeviceToken(signedIn.email, sessionSecret) };
}
