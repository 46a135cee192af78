import { requireScope } from "#lib/core/api/bearer-token.ts";
import { AppError } from "#lib/errors.ts";
import type { ApiScope } from "#lib/schema/account/api-token.ts";
import type { PortalCapability } from "#lib/schema/sender/recipient.ts";
import type { Actor } from "./actor.ts";

/**
 * The permission that a service of the REST API needs, mostly the scope of an API token.
 * `sends:repeat` is a permission of its own, because a portal link can include it without the right
 * to change subscriptions.
 */
export type ApiPermission = ApiScope | "sends:repeat";

/**
 * The permission that a service needs. No scope and no link includes the account and its profiles.
 */
export type Permission = ApiPermission | "account:write" | "profile:write";

/** The scope with which an API token has the permission. */
export function scopeOf(permission: ApiPermission): ApiScope {
  return permission === "sends:repeat" ? "subscriptions:write" : permission;
}

const portalPermissions: Record<PortalCapability, readonly Permission[]> = {
  "subscriptions:read": ["subscriptions:read"],
  "subscriptions:write": ["subscriptions:write"],
  "events:read": ["events:read"],
  resend: ["sends:repeat"],
};

/**
 * Throws `forbidden` if the actor lacks the permission. Every service calls it first, and nothing
 * else decides who may do what. Which rows the actor sees is decided by the account id, and for a
 * portal also by the recipient, in every query.
 */
export function authorize(actor: Actor, permission: Permission): void {
  switch (actor.type) {
    case "user":
    case "system":
      return;
    case "token":
      if (permission === "account:write" || permission === "profile:write") throw notByToken();
      requireScope(actor, scopeOf(permission));
      return;
    case "portal":
      if (actor.capabilities.some((name) => portalPermissions[name].includes(permission))) return;
      throw notIncluded();
    default:
      actor satisfies never;
  }
}

/** A portal asked for something that its link doesn't include. */
export function notIncluded(): AppError {
  const detail = "This link doesn't include that. Ask for a link with more permissions.";
  return new AppError("forbidden", detail);
}

function notByToken(): AppError {
  return new AppError("forbidden", "API tokens can't change the account. Sign in to change it.");
}
