import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";

/** An action that uses a destination or a credential. */
type ActionUse = {
  readonly id: string;
  readonly name: string;
  readonly hookName: string;
};

type UseOf = "destination" | "credential";

/** Lists the newest actions that name it in their requests. Deleted ones are omitted. */
export async function listUses(
  db: Database | Transaction,
  accountId: string,
  of: UseOf,
  id: string,
): Promise<readonly ActionUse[]> {
  const rows = await db.action.findMany({
    where: {
      accountId,
      ...(of === "destination" ? { destinationIds: { has: id } } : { credentialIds: { has: id } }),
      deletedAt: null,
      hook: { deletedAt: null },
    },
    orderBy: { id: "desc" },
    take: maxListed,
    select: { id: true, name: true, hook: { select: { name: true } } },
  });
  return rows.map(({ hook, ...action }) => ({ ...action, hookName: hook.name }));
}

/** Lists the newest destinations that use a credential. */
export async function listDestinationsOf(
  db: Database | Transaction,
  accountId: string,
  credentialId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return await db.destination.findMany({
    where: { accountId, credentialId },
    orderBy: { id: "desc" },
    take: maxListed,
    select: { id: true, name: true },
  });
}

/** Lists the newest subscriptions that use a credential. */
export async function listSubscriptionsOf(
  db: Database | Transaction,
  accountId: string,
  credentialId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const rows = await db.subscription.findMany({
    where: { accountId, credentialId, deletedAt: null },
    orderBy: { id: "desc" },
    take: maxListed,
    select: { id: true, description: true, receiverUrl: true },
  });
  return rows.map(({ id, description, receiverUrl }) => ({
    id,
    name: description ?? nameReceiver(receiverUrl),
  }));
}

const maxListed = 100;
const maxNamed = 5;

/** Formats names for a sentence: `the actions "a" and "b"`. */
export function nameUses(what: string, names: readonly string[]): string {
  const named = names.slice(0, maxNamed).map((name) => `"${name}"`);
  const rest = names.length - named.length;
  const parts = rest > 0 ? [...named, `${rest} more`] : named;
  const last = parts.pop() ?? "";
  const list = parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
  return `the ${what}${names.length === 1 ? "" : "s"} ${list}`;
}
