import { AppError } from "#lib/base/errors.ts";
import { describeMissingScope } from "#lib/core/api/bearer-token.ts";
import {
  describeNeededRole,
  isAllowed,
  type Permission,
  permissions,
} from "#lib/schema/account/permissions.ts";
import type { PortalCapability } from "#lib/schema/send/portal-capabilities.ts";
import { type Actor, seesMasked, type TokenActor } from "./actor.ts";

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
    case "system":
      return;
    case "user":
      if (isAllowed(actor.role, permission)) return;
      throw forbidden(`${describeNeededRole(permission)} Your role is ${actor.role}.`);
    case "token":
      authorizeToken(actor, permission);
      return;
    case "portal":
      if (actor.capabilities.some((name) => portalPermissions[name].includes(permission))) return;
      throw notIncluded();
    default:
      actor satisfies never;
  }
}

/** A token needs the scope, and can never do more than its maker's role allows now. */
function authorizeToken({ scopes, role }: TokenActor, permission: Permission): void {
  const { scope, what } = permissions[permission];
  if (scope === null) throw forbidden(`API tokens can't ${what}. Sign in to do it.`);
  if (!scopes.includes(scope)) throw forbidden(describeMissingScope(scope));
  if (isAllowed(role, permission)) return;
  throw forbidden(
    `${describeNeededRole(permission)} The person who created this API token has the role ${role}.`,
  );
}

/** Throws `forbidden` for what needs every byte of a payload, such as checking its signature. */
export function requireUnmasked(actor: Actor): void {
  if (!seesMasked(actor)) return;
  throw forbidden("This needs the whole payload, and fields of it are masked for your role.");
}

/** A portal asked for something that its link doesn't include. */
export function notIncluded(): AppError {
  return forbidden("This link doesn't include that. Ask for a link with more permissions.");
}

function forbidden(detail: string): AppError {
  return new AppError("forbidden", detail);
}
