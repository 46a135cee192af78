/** An API token, as exchanged by the form, the API, and the database. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";
import { apiScopes } from "./scopes.ts";

export const apiScopeSchema = z.enum(apiScopes, {
  error: `must be one of ${apiScopes.join(", ")}`,
});

/** A token chosen by the user. Its length makes up for the randomness that can't be checked. */
export const givenApiTokenSchema = z
  .string()
  .regex(/^[\x21-\x7e]{32,512}$/, "must have 32 to 512 characters, without spaces");

export const createApiTokenSchema = z.strictObject({
  name: displayName,
  scopes: z
    .array(apiScopeSchema)
    .min(1, "must contain at least one")
    .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope))),
  /** Null: it doesn't expire. */
  expiresInDays: z.int().min(1, "must be 1 or more").max(3650, "must be 3,650 or less").nullable(),
});
