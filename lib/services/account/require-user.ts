import { AppError } from "#lib/base/errors.ts";
import type { Actor, UserActor } from "#lib/services/frame/actor.ts";

/** The signed-in person, whose profile, password, and sessions are their own. */
export function requireUser(actor: Actor): UserActor {
  if (actor.type === "user") return actor;
  throw new AppError("forbidden", "Only a signed-in user has a profile.");
}

/** Returns the id of the person who acts, or who created the token. Null: no person acts. */
export function personOf(actor: Actor): string | null {
  return actor.type === "user" || actor.type === "token" ? actor.userId : null;
}

/** Returns the id of the person who acts, like `personOf`. Throws `forbidden` with `reason` if there is none. */
export function requirePerson(actor: Actor, reason: string): string {
  const userId = personOf(actor);
  if (userId !== null) return userId;
  throw new AppError("forbidden", reason);
}
