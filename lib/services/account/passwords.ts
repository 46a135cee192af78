import { hash, type Options, verify } from "@node-rs/argon2";
import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import type { SessionClient } from "#lib/db/accounts/sessions.ts";
import { clearSignInAttempt, reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import { findUserCredentials, type UserCredentials } from "#lib/db/accounts/users.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import { signInSchema } from "#lib/schema/account/sign-in.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";

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

export const commonPassword = "This password is too common. Choose another one.";

/**
 * Hashes a password that a user or the environment sets. `newPasswordSchema` has checked its
 * length. Null if it is among the 49,000 most common, in upper or lower case: {@link commonPassword}
 * says so.
 */
export async function hashNewPassword(password: string): Promise<string | null> {
  return (await isCommon(password)) ? null : await hashPassword(password);
}

/** The error at a form's field of the new password. */
export function commonPasswordError(field: string): AppError {
  const errors = [{ path: field, code: "invalid_value", message: commonPassword } as const];
  return new AppError("invalid_request", checkFields, { errors });
}

/** The list takes about 45 ms and 19 MB to load, so only processes that set a password load it. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  // The list is in lower case. Searching all of it takes half a millisecond.
  return dictionary["passwords-common"].includes(password.toLowerCase());
}

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, parallelism 1. About 15 ms, off
// the event loop.
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * argon2id in PHC string format. The caller has limited the length. For a password that someone
 * chose, call `hashNewPassword`.
 */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, options);
}

/** Takes the same time with and without a hash, so that timing doesn't reveal which users exist. */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  if (passwordHash !== null) return await verify(passwordHash, password);
  await verify(await dummyHash, password);
  return false;
}

// Created when the module loads, so that the first unknown user doesn't take longer either.
const dummyHash = hashPassword("no user has this password");
