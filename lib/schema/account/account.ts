/** Settings of the signed-in user and their account. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";
import { emailSchema, givenPasswordSchema, newPasswordSchema } from "./sign-in.ts";

export const profileSchema = z.strictObject({
  name: displayName,
  email: emailSchema,
  /** The current password. Only a new email address needs it. */
  password: givenPasswordSchema.optional(),
});

export const passwordChangeSchema = z.strictObject({
  currentPassword: givenPasswordSchema,
  newPassword: newPasswordSchema,
});

export const accountNameSchema = z.strictObject({ name: displayName });
