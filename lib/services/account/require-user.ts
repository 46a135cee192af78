import { AppError } from "#lib/errors.ts";
import type { Actor, UserActor } from "#lib/services/actor.ts";

/** The signed-in person, whose profile, password, and sessions are their own. */
export function requireUser(actor: Actor): UserActor {
  if (actor.type === "user") return actor;
  throw new AppError("forbidden", "Only a signed-in user has a profile.");
}
