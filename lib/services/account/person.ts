import { AppError } from "#lib/base/errors.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import type { Actor, UserActor } from "#lib/services/frame/actor.ts";
import { type AuditContext, type AuditEntry, audit } from "#lib/services/frame/audit.ts";

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

/** A person who signs in, or changes how they do. */
export type Person = { readonly userId: string; readonly email: string };

/** The parts that the log needs. The actor is the person, in each of their accounts. */
export type PersonContext = Omit<AuditContext, "actor" | "now">;

type PersonEntry = Omit<AuditEntry, "targets"> & Partial<Pick<AuditEntry, "targets">>;

/**
 * Records what a person did about their own access in the log of every account that they are a member
 * of: each one depends on it.
 */
export async function auditPerson(
  context: PersonContext,
  { userId, email }: Person,
  entry: PersonEntry,
  tx: Transaction,
): Promise<void> {
  const targets = [{ type: "user", id: userId, name: email }];
  for (const { accountId, role } of await listMemberships(tx, userId)) {
    const user = { accountId, userId, email, role, sessionId: "", maskedFields: [] };
    const actor = { type: "user", ...user } as const;
    await audit({ ...context, actor, now: () => new Date() }, { targets, ...entry }, tx);
  }
}
