import { AppError } from "#lib/base/errors.ts";
import { checkFields } from "#lib/schema/field/command-result.ts";
import { hashPassword } from "./password.ts";

export const commonPassword = "This password is one of the most common. Choose another one.";

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
