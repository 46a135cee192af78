/** Settings of the signed-in user and their account. */
import { z } from "zod";
import { displayName, recordId } from "#lib/schema/field/common.ts";
import { accountSlugSchema } from "./setup.ts";
import { emailSchema, givenPasswordSchema, newPasswordSchema } from "./sign-in.ts";

/** The names of all time zones. UTC isn't in every list, and is what servers log. */
export const timeZones: readonly string[] = [
  ...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]),
];

/** How long the link works that confirms an email. */
export const emailLinkHours = 24;

export const profileSchema = z.strictObject({
  name: displayName,
  email: emailSchema,
  /** Empty: that of the browser. Omitted: unchanged. */
  timeZone: z
    .string()
    .refine((name) => name === "" || timeZones.includes(name), "must be an IANA time zone")
    .transform((name) => (name === "" ? null : name))
    .optional(),
  /** The current password. Only a new email address needs it. */
  password: givenPasswordSchema.optional(),
});

export const passwordChangeSchema = z.strictObject({
  currentPassword: givenPasswordSchema,
  newPassword: newPasswordSchema,
});

export const accountNameSchema = z.strictObject({ name: displayName });

/** The name confirms that this account is meant. */
export const accountDeletionSchema = z.strictObject({ id: recordId, name: displayName });
export const accountTransferSchema = z.strictObject({
  id: recordId,
  memberId: recordId.min(1, "Choose a member.").describe("The member who becomes the owner"),
});

export const newAccountSchema = z.strictObject({ name: displayName, slug: accountSlugSchema });
