import type { Database } from "#lib/db/client.ts";
import { verifyPassword } from "#lib/db/password.ts";
import { forgiveSignInAttempt, pruneSignInThrottles, takeSignInAttempt } from "#lib/db/sign-in-throttle.ts";
import { findUserCredentials, type UserCredentials } from "#lib/db/users.ts";
import { log } from "#lib/log.ts";
import { signInSchema } from "#lib/schema/sign-in.ts";

export type SignInResult =
  | { readonly ok: true; readonly user: UserCredentials }
  | { readonly ok: false; readonly code: "wrong" }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

/**
 * Whether these are somebody's e-mail and password. An unknown user and a wrong password take the same work and get
 * the same answer. `address` is null where the client's isn't known.
 */
export async function checkSignIn(
  db: Database,
  given: unknown,
  address: string | null,
): Promise<SignInResult> {
  const parsed = signInSchema.safeParse(given);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { email, password } = parsed.data;
  const permit = await takeSignInAttempt(db, { email, address });
  if (!permit.ok) {
    log.warn("sign_in.throttled", { address, retryAfterSeconds: permit.retryAfterSeconds });
    return { ok: false, code: "throttled", retryAfterSeconds: permit.retryAfterSeconds };
  }
  const user = await findUserCredentials(db, email);
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (user === null || !isRight) {
    log.warn("sign_in.refused", { address });
    return { ok: false, code: "wrong" };
  }
  await forgiveSignInAttempt(db, { email, address });
  await pruneSignInThrottles(db);
  log.info("sign_in.accepted", { userId: user.userId, address });
  return { ok: true, user };
}
