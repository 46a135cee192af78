import type { Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { PortalCapability } from "#lib/schema/send/portal-capabilities.ts";

/**
 * The author of a request. Each kind was authenticated in its own way, at the edge it came from.
 */
export type Actor = UserActor | TokenActor | PortalActor | SystemActor;

/** A signed-in person. */
export type UserActor = {
  readonly type: "user";
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly maskedFields: readonly string[];
};

/** A program with an API token. */
export type TokenActor = {
  readonly type: "token";
  readonly accountId: string;
  readonly tokenId: string;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  /** Its maker. Null: it comes from the environment, or is older than makers are recorded. */
  readonly userId: string | null;
  /** The role of its maker now. A token without a maker acts as an admin. */
  readonly role: Role;
  readonly maskedFields: readonly string[];
};

/** Anyone with a portal link: people of one recipient of the account. */
export type PortalActor = {
  readonly type: "portal";
  readonly accountId: string;
  readonly recipient: string;
  readonly capabilities: readonly PortalCapability[];
};

/** Catchment itself, such as a job that runs in the background. */
type SystemActor = {
  readonly type: "system";
  readonly accountId: string;
  /** The person or program that used it, such as the command line. Omitted: no one. */
  readonly name?: string;
};

/** The author of what an actor saves, as people read it. */
export function nameActor(actor: Actor): string {
  switch (actor.type) {
    case "user":
      return actor.email;
    case "token":
      return `API token ${actor.name}`;
    case "portal":
      return `Portal of ${actor.recipient}`;
    case "system":
      return actor.name ?? "Catchment";
    default:
      return actor satisfies never;
  }
}

/**
 * The account's fields that an actor sees masked. The people of a recipient get its events anyway.
 */
export function maskedFieldsOf(actor: Actor): readonly string[] {
  return actor.type === "user" || actor.type === "token" ? actor.maskedFields : [];
}

export function seesMasked(actor: Actor): boolean {
  return maskedFieldsOf(actor).length > 0;
}

/** Limits a query to the recipient of a portal. Everyone else sees the whole account. */
export function recipientScope(actor: Actor): { readonly recipient?: string } {
  return actor.type === "portal" ? { recipient: actor.recipient } : {};
}
