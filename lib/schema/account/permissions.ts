/** The one table of permissions, for services, tokens, and buttons. */

import { isAtLeast, type Role, roles } from "./role.ts";
import type { ApiScope } from "./scopes.ts";

type Rule = {
  /** The least role that has the permission. */
  readonly role: Role;
  /** The scope with which an API token has it. Null: no token has it. */
  readonly scope: ApiScope | null;
  /** The words for what it allows, as in "Only owners can …". */
  readonly what: string;
};

/**
 * Every service names one of these. `sends:repeat` is a permission of its own, because a portal link
 * can include it without the right to change subscriptions.
 */
export const permissions = {
  "hooks:read": { role: "viewer", scope: "hooks:read", what: "view hooks" },
  "hooks:write": { role: "member", scope: "hooks:write", what: "change hooks and actions" },
  "credentials:write": { role: "admin", scope: "hooks:write", what: "change credentials" },
  "deliveries:read": { role: "viewer", scope: "deliveries:read", what: "view deliveries" },
  "deliveries:write": {
    role: "member",
    scope: "deliveries:write",
    what: "change deliveries and runs",
  },
  "listeners:write": { role: "member", scope: "deliveries:read", what: "listen to deliveries" },
  "events:read": { role: "viewer", scope: "events:read", what: "view events" },
  "events:write": { role: "member", scope: "events:write", what: "publish events" },
  "subscriptions:read": { role: "viewer", scope: "subscriptions:read", what: "view subscriptions" },
  "subscriptions:write": {
    role: "member",
    scope: "subscriptions:write",
    what: "change subscriptions, event types, and recipients",
  },
  "callbacks:write": {
    role: "member",
    scope: "callbacks:write",
    what: "have events sent to an AI assistant",
  },
  "sends:repeat": { role: "member", scope: "subscriptions:write", what: "resend events" },
  "members:read": { role: "viewer", scope: "members:read", what: "view members" },
  "members:write": { role: "admin", scope: "members:write", what: "change members" },
  "alerts:read": { role: "viewer", scope: "alerts:read", what: "view alert channels and rules" },
  "alerts:write": { role: "admin", scope: "alerts:write", what: "change alert channels and rules" },
  "account:read": { role: "viewer", scope: "account:read", what: "view the account" },
  "account:write": { role: "admin", scope: "account:write", what: "change the account" },
  "configuration:read": {
    role: "admin",
    scope: "configuration:read",
    what: "export and compare the configuration",
  },
  "configuration:write": {
    role: "admin",
    scope: "configuration:write",
    what: "apply a configuration",
  },
  "account:transfer": { role: "owner", scope: "account:write", what: "transfer the account" },
  "account:delete": { role: "owner", scope: "account:write", what: "delete the account" },
  "accounts:create": { role: "owner", scope: "account:write", what: "create accounts" },
  "tokens:write": { role: "admin", scope: null, what: "create or revoke API tokens" },
  "audit:read": { role: "admin", scope: "audit:read", what: "view the audit log" },
  "audit:write": {
    role: "admin",
    scope: "audit:write",
    what: "change where the audit log is sent",
  },
  "erasures:read": { role: "admin", scope: "erasures:read", what: "view erasures" },
  "erasures:write": { role: "admin", scope: "erasures:write", what: "forget a person" },
  "profile:write": { role: "viewer", scope: null, what: "change their profile" },
} as const satisfies Readonly<Record<string, Rule>>;

export type Permission = keyof typeof permissions;

type Rules = typeof permissions;

/** A permission that an API token can have. */
export type ApiPermission = {
  [Name in Permission]: Rules[Name]["scope"] extends null ? never : Name;
}[Permission];

/** The scope with which an API token has the permission. */
export function scopeOf(permission: ApiPermission): ApiScope {
  return permissions[permission].scope;
}

/** True if a member with this role has the permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return isAtLeast(role, permissions[permission].role);
}

/** The scopes that a token has while its maker has this role. */
export function limitScopes(scopes: readonly ApiScope[], role: Role): readonly ApiScope[] {
  return scopes.filter((scope) => isAllowed(role, scope));
}

/** The notice for someone whose role lacks the permission: the page only shows, and who may change it. */
export function describeReadOnly(role: Role, permission: Permission): string {
  return `You're ${withArticle(role)}: you can look at everything here. ${whoMay(permission)} can change it.`;
}

/** The notice where there is nothing to look at. */
export function describeMissingRole(role: Role, permission: Permission): string {
  return `You're ${withArticle(role)}. ${whoMay(permission)} can ${permissions[permission].what}.`;
}

function whoMay(permission: Permission): string {
  return withArticle(permissions[permission].role).replace("a", "A");
}

function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}

/** The reason why a role lacks a permission, such as "Only admins and owners can …". */
export function describeNeededRole(permission: Permission): string {
  const { role, what } = permissions[permission];
  const names = roles.filter((each) => isAtLeast(each, role)).map((each) => `${each}s`);
  const list = names.length > 2 ? `${names.slice(0, -1).join(", ")}, and ` : `${names[0]} and `;
  return `Only ${names.length === 1 ? "" : list}${names.at(-1)} can ${what}.`;
}
