import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { SessionClient } from "#lib/db/accounts/sessions.ts";
import type { UserCredentials } from "#lib/db/accounts/users.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { checkSignIn, type SignInClient } from "./check-sign-in.ts";

/** The browser that asks. The edge reads it from the request. */
export type Browser = SignInClient & SessionClient;
export const browserField = { browser: z.custom<Browser>() };

type Given = {
  readonly email: string;
  readonly password: string;
  /** The field of the input that has the password. */
  readonly field: string;
  readonly browser: Browser;
};

/**
 * Confirms the password of a signed-in user, with the same rate limit as a sign-in: an abandoned
 * session must not allow guessing it. Throws `rate_limited`, or `invalid_request` with the field.
 */
export async function confirmPassword(
  db: Database,
  { email, password, field, browser }: Given,
): Promise<UserCredentials> {
  const checked = await checkSignIn(db, { email, password }, browser);
  if (checked.ok) return checked.user;
  if (checked.code === "throttled")
    throw new AppError("rate_limited", describeThrottled(checked.retryAfterSeconds));
  const errors = [{ path: field, code: "invalid_value", message: "is incorrect" } as const];
  throw new AppError("invalid_request", checkFields, { errors });
}
