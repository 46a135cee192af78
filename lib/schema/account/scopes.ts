/** The scopes of API tokens. Without zod, for the browser. */

/**
 * `hooks` covers hooks, their secrets and actions; `deliveries` covers deliveries, replays and runs; `events`
 * covers published events; `subscriptions` covers subscriptions, event types, and recipients; `callbacks` covers
 * subscriptions that an AI assistant makes for a callback of its own; `members` covers members and invitations;
 * `alerts` covers alert channels and rules; `audit` covers the audit log and its receiver; `configuration` covers
 * everything that files of a configuration have, whatever its other scope is; `erasures` covers forgetting a
 * person; `account` covers the account itself, and creating others. Write access does not include read access.
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
  "callbacks:write",
  "members:read",
  "members:write",
  "alerts:read",
  "alerts:write",
  "audit:read",
  "audit:write",
  "configuration:read",
  "configuration:write",
  "erasures:read",
  "erasures:write",
  "account:read",
  "account:write",
] as const;

export type ApiScope = (typeof apiScopes)[number];

/** The scopes that change nothing. */
export const readScopes = apiScopes.filter((scope) => scope.endsWith(":read"));
