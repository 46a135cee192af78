import { headers } from "next/headers";
import type { SessionUser } from "#lib/db/sessions.ts";
import type { UserCredentials } from "#lib/db/users.ts";
import { AppError } from "#lib/errors.ts";
import { checkSignIn } from "./check-sign-in.ts";
import { readClientKey } from "./client-address.ts";
import { serverContext } from "./server-context.ts";

/**
 * That the person at this session knows its password; with the same brake as a sign-in, so that a session somebody
 * left open is no place to guess it. Throws an AppError that names `field` when they don't.
 */
export async function confirmPassword(
  session: SessionUser,
  password: string,
  field: string,
): Promise<UserCredentials> {
  const address = readClientKey(await headers());
  const checked = await checkSignIn(serverContext().db, { email: session.email, password }, address);
  if (checked.ok) return checked.user;
  if (checked.code === "throttled") {
    throw new AppError(
      "rate_limited",
      `Too many attempts. Try again in ${checked.retryAfterSeconds} seconds.`,
    );
  }
  throw new AppError("invalid_request", "Check the marked fields.", {
    errors: [{ path: field, message: "is not right" }],
  });
}
