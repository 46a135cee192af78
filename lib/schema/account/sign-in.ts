/** A user's credentials and name, as in the sign-in form, the setup form, and the environment. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { hasAtMostBytes } from "#lib/schema/field/common.ts";

/**
 * One canonical form: trimmed, lowercase, ASCII. Quoted local parts, lists, comments, and
 * look-alike characters are rejected, so that two spellings never reach the same mailbox under two
 * names. International domains use their ASCII form (RFC 5891).
 */
export const emailSchema = z
  .string()
  .trim()
  .max(254, "must have at most 254 characters")
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
    "must be an email address, like ada@example.com",
  )
  .toLowerCase();

// Hashing time grows with the length, and anyone can trigger it.
const maxPasswordBytes = 1024;
const minPasswordChars = 10;

/** Passwords are never trimmed or changed. */
const boundedPassword = z.string().refine(...hasAtMostBytes(maxPasswordBytes, "1,024"));

/** A password to check. Older rules allowed shorter ones, which still work for signing in. */
export const givenPasswordSchema = boundedPassword.min(1, "must not be empty");

/** A password to set. `hashNewPassword` also rejects the most common ones. */
export const newPasswordSchema = boundedPassword.refine(
  // Code points, as users count them (NIST SP 800-63B).
  (text) => [...text].length >= minPasswordChars,
  brokenRule("too_short", "Use at least 10 characters.", { limit: minPasswordChars }),
);

/** Sign-in credentials. Errors don't reveal which part is wrong. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: givenPasswordSchema,
});

/** Asks for a link that resets a password. */
export const resetRequestSchema = z.strictObject({ email: emailSchema });

/** The password that a link sets. */
export const resetSchema = z.strictObject({ password: newPasswordSchema });

/** A code of an authenticator app, as people type it. */
export const oneTimeCodeSchema = z
  .string()
  .max(20, "must have 6 digits")
  .transform((text) => text.replace(/\s/g, ""))
  .pipe(z.string().regex(/^[0-9]{6}$/, "must have 6 digits"));

/** A code of an authenticator app, or a recovery code. */
export const secondFactorSchema = z.strictObject({
  code: z.string().trim().min(1, "must not be empty").max(40, "must have at most 40 characters"),
});
