import { AppError } from "#lib/errors.ts";
import type { Actor } from "#lib/services/actor.ts";

/** Members use the account, and only owners and admins manage it. Throws `forbidden`. */
export function requireAdmin(actor: Actor, what: string): void {
  if (actor.type === "user" && actor.role === "member")
    throw new AppError("forbidden", `Only owners and admins can ${what}.`);
}
