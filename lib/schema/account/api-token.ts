/** An API token, as exchanged by the form, the API, and the database. */
import { z } from "zod";
import { displayName } from "#lib/schema/field/common.ts";

/**
 * `hooks` covers hooks, their secrets and actions; `deliveries` covers deliveries, replays and
 * runs; `events` covers published events; `subscriptions` covers subscriptions, event types, and
 * recipients; `members` covers members and invitations; `alerts` covers alert channels and rules;
 * `audit` covers the audit log and its receiver; `account` covers the account itself, and creating others. Write
 * access does not include read access.
 */
export const apiScopes = [
  "hooks:read",
  "hooks:write",
  "deliveries:read",
  "deliveries:write",
  "events:read",
  "events:write",
  "subscriptions:read",
  "subscriptions:write",
  "members:read",
  "members:write",
  "alerts:read",
  "alerts:write",
  "audit:read",
  "audit:write",
  "account:read",
  "account:write",
] as const;

export type ApiScope = (typeof apiScopes)[number];

/** The scopes that change nothing. */
export const readScopes = apiScopes.filter((scope) => scope.endsWith(":read"));

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
