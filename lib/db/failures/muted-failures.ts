import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";

/** Whose failures, and with which reason: an action's or else a subscription's. */
export type FailureKey = {
  readonly actionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly reason: string;
};

/**
 * Mutes failures until the action or the subscription changes. Throws `not_found` if it doesn't
 * exist.
 */
export async function muteFailures(
  db: Database | Transaction,
  accountId: string,
  { reason, ...of }: FailureKey,
): Promise<void> {
  const {
    actionId = null,
    subscriptionId = null,
    targetId,
    version,
  } = await find(db, accountId, of);
  // By the database's clock, which most changes of a subscription have.
  await db.$executeRaw`
    insert into muted_failures (target_id, reason, account_id, action_id, subscription_id, version, muted_at)
    values (${targetId}::uuid, ${reason}, ${accountId}::uuid, ${actionId}::uuid, ${subscriptionId}::uuid, ${version}::int, now())
    on conflict (target_id, reason) do update set version = excluded.version, muted_at = excluded.muted_at`;
}

/** Ends it. Throws `not_found` if the action or the subscription doesn't exist. */
export async function unmuteFailures(
  db: Database | Transaction,
  accountId: string,
  { reason, ...of }: FailureKey,
): Promise<void> {
  const { targetId } = await find(db, accountId, of);
  await db.mutedFailure.deleteMany({ where: { accountId, targetId, reason } });
}

type Found = Omit<FailureKey, "reason"> & {
  readonly targetId: string;
  readonly version: number | null;
};

async function find(
  db: Database | Transaction,
  accountId: string,
  { actionId, subscriptionId }: Omit<FailureKey, "reason">,
): Promise<Found> {
  if (actionId !== undefined) {
    const id = requireId("action", actionId);
    const action = await db.action.findFirst({
      where: { id, accountId, deletedAt: null, hook: { deletedAt: null } },
      select: { version: true },
    });
    if (action === null) throw notFound("action");
    return { actionId: id, targetId: id, version: action.version };
  }
  const id = requireId("subscription", subscriptionId ?? "");
  const count = await db.subscription.count({ where: { id, accountId, deletedAt: null } });
  if (count === 0) throw notFound("subscription");
  return { subscriptionId: id, targetId: id, version: null };
}
