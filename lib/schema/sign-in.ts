/** A user's credentials and name, as in the sign-in form, the set-up form, and the environment. */
import { z } from "zod";

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

/** Never trimmed or changed. */
export const passwordSchema = z
  .string()
  .min(8, "must have at least 8 characters")
  .refine(
    (text) => new TextEncoder().encode(text).length <= maxPasswordBytes,
    "must have at most 1,024 bytes",
  );

/** Sign-in credentials. Errors don't reveal which part is wrong. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z
    .string()
    .min(1, "must not be empty")
    .max(maxPasswordBytes, "must have at most 1,024 bytes")
    .refine(
      (text) => new TextEncoder().encode(text).length <= maxPasswordBytes,
      "must have at most 1,024 bytes",
    ),
});
