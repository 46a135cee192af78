import { AppError } from "#lib/base/errors.ts";
import { getListener, type ListenerRecord } from "#lib/db/listeners/listeners.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { isAtLeast } from "#lib/schema/account/role.ts";
import type { Actor } from "#lib/services/frame/actor.ts";

/**
 * Whose listeners an actor uses: those of its person, since a program has a token for each machine.
 * A token without a person has its own.
 */
export function ownerOf(actor: Actor): string {
  switch (actor.type) {
    case "user":
      return actor.userId;
    case "token":
      return actor.userId ?? actor.tokenId;
    default:
      return actor.accountId;
  }
}

/** Throws `not_found`, and `forbidden` for a listener of someone else. */
export async function getOwnListener(
  db: Database | Transaction,
  actor: Actor,
  id: string,
): Promise<ListenerRecord> {
  const listener = await getListener(db, actor.accountId, id);
  if (listener.ownerId === ownerOf(actor)) return listener;
  throw belongsToOther(listener);
}

function belongsToOther({ ownerName }: ListenerRecord): AppError {
  return new AppError("forbidden", `This listener belongs to ${ownerName}.`);
}

/** Whether an actor may end a listener: its own, and admins anyone's. */
export function mayEnd(actor: Actor, { ownerId }: Pick<ListenerRecord, "ownerId">): boolean {
  if (ownerId === ownerOf(actor)) return true;
  return (actor.type === "user" || actor.type === "token") && isAtLeast(actor.role, "admin");
}

/** Like `getOwnListener`, but admins may end any. */
export async function getEndableListener(
  db: Database | Transaction,
  actor: Actor,
  id: string,
): Promise<ListenerRecord> {
  const listener = await getListener(db, actor.accountId, id);
  if (mayEnd(actor, listener)) return listener;
  throw belongsToOther(listener);
}
