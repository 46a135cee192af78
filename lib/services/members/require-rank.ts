import { AppError } from "#lib/base/errors.ts";
import { isAtLeast, type Role } from "#lib/schema/account/role.ts";
import type { Actor } from "#lib/services/frame/actor.ts";

/**
 * Members give no more than their own role, and change no one above them: only
 * owners deal with owners. Throws `forbidden`.
 */
export function requireRank(actor: Actor, ...roles: readonly Role[]): void {
  const own = actor.type === "user" || actor.type === "token" ? actor.role : "owner";
  const above = roles.find((role) => !isAtLeast(own, role));
  if (above !== undefined)
    throw new AppError("forbidden", `Only owners can add, change, or remove an ${above}.`);
}
