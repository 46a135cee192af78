/** Settings of the signed-in user and their account. */
import { z } from "zod";
import { displayName } from "./common.ts";
import { emailSchema, passwordSchema, signInSchema } from "./sign-in.ts";

const presentPassword = signInSchema.shape.password;

export const profileSchema = z.strictObject({
  name: displayName,
  email: emailSchema,
  /** The current one; only needed for a new email. */
  password: presentPassword.optional(),
});

export const passwordChangeSchema = z.strictObject({
  currentPassword: presentPassword,
  newPassword: passwordSchema,
});

export const accountNameSchema = z.strictObject({ name: displayName });
