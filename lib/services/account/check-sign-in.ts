import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { clearSignInAttempt, reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import { findUserCredentials, type UserCredentials } from "#lib/db/accounts/users.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { signInSchema } from "#lib/schema/account/sign-in.ts";
import { verifyPassword } from "#lib/services/account/password.ts";

export type SignInClient = {
  /** The client's address. Null: unknown. */
  readonly address: string | null;
  /** Returns the id of this browser, if this user has signed in with it before. */
  readonly findDevice?: (email: string) => Promise<string | null>;
};

type SignInResult =
  | { readonly ok: true; readonly user: UserCredentials; readonly email: string }
  | { readonly ok: false; readonly code: "wrong" }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

/**
 * Checks an email and password. An unknown user and a wrong password take the same time and get the
 * same response.
 */
export async function checkSignIn(
  db: Database,
  given: unknown,
  { address, findDevice = async () => null }: SignInClient,
): Promise<SignInResult> {
  const parsed = signInSchema.safeParse(given);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { email, password } = parsed.data;
  const attempt = { email, address, device: await findDevice(email) };
  const permit = await reserveSignInAttempt(db, attempt);
  if (!permit.ok) {
    logCounted("warn", "sign_in.throttled", { address });
    return { ok: false, code: "throttled", retryAfterSeconds: permit.retryAfterSeconds };
  }
  const user = await findUserCredentials(db, email);
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (user === null || !isRight) {
    logCounted("warn", "sign_in.refused", { address });
    return { ok: false, code: "wrong" };
  }
  await clearSignInAttempt(db, attempt);
  log.info("sign_in.accepted", { userId: user.userId, address });
  return { ok: true, user, email };
}
