import { cookies, headers } from "next/headers";
import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import type { UserCredentials } from "#lib/db/accounts/users.ts";
import { AppError } from "#lib/errors.ts";
import { readClientKey } from "#lib/web/request/client-address.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { checkSignIn } from "../../services/account/check-sign-in.ts";
import { deviceCookie, readDeviceToken } from "./device-token.ts";

/**
 * Confirms the user's password in a session, with the same rate limit as a sign-in: an abandoned
 * session must not allow guessing it. Throws an AppError with `field` if it is wrong.
 */
export async function confirmPassword(
  session: SessionUser,
  password: string,
  field: string,
): Promise<UserCredentials> {
  const { db, isHttps, sessionSecret } = serverContext();
  const address = readClientKey(await headers());
  const cookie = (await cookies()).get(deviceCookie(isHttps).name)?.value;
  const findDevice = (email: string) => readDeviceToken(cookie, email, sessionSecret);
  const checked = await checkSignIn(
    db,
    { email: session.email, password },
    { address, findDevice },
  );
  if (checked.ok) return checked.user;
  if (checked.code === "throttled") {
    throw new AppError(
      "rate_limited",
      `Too many attempts. Try again in ${checked.retryAfterSeconds} seconds.`,
    );
  }
  throw new AppError("invalid_request", "Check the marked fields.", {
    errors: [{ path: field, code: "invalid_value", message: "is incorrect" }],
  });
}
