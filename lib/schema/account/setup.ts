/** The first owner and their account, from the setup page or the environment. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";
import { emailSchema, newPasswordSchema } from "./sign-in.ts";

/** A segment of every catch URL. */
export const accountSlugSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    "must be 1 to 40 lowercase letters, digits, and inner hyphens, like acme",
  );

export const setupSchema = z.strictObject({
  name: displayName,
  email: emailSchema,
  password: newPasswordSchema,
  account: accountSlugSchema,
});

export type Setup = z.output<typeof setupSchema>;
