import { isId } from "#lib/base/ids.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

type Transaction = Prisma.TransactionClient;

/** A delivery whose runs are about to be queued. */
export type LockedDelivery = {
  readonly id: string;
  readonly hookId: string;
  readonly bodySize: number;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
};

/** Locks a delivery, so that it is not deleted before its runs are queued. Throws `not_found`. */
export async function lockDelivery(
  tx: Transaction,
  accountId: string,
  deliveryId: string,
): Promise<LockedDelivery> {
  const [delivery] = await tx.$queryRaw<LockedDelivery[]>`
    select d.id, d.hook_id as "hookId", d.body_size as "bodySize", d.status, d.reason from deliveries d
    join hooks h on h.id = d.hook_id and h.deleted_at is null
    where d.id = ${requireId("delivery", deliveryId)}::uuid and d.account_id = ${accountId}::uuid
    for key share of d`;
  if (delivery === undefined) throw notFound("delivery");
  return delivery;
}

/** Reads which of these actions are enabled. Deleted ones and those of other hooks are omitted. */
export async function readEnabled(
  tx: Transaction,
  hookId: string,
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const found = await tx.action.findMany({
    where: { id: { in: actionIds.filter(isId) }, hookId, deletedAt: null },
    select: { id: true, enabled: true },
  });
  return new Map(found.map(({ id, enabled }) => [id, enabled]));
}

/**
 * Queues new runs of a delivery in one statement: for the hook's enabled actions, or for the given
 * ones.
 *
 * @returns the ids of the new runs, in the order of the actions
 */
export async function queueReplay(
  tx: Transaction,
  accountId: string,
  { id, hookId, bodySize }: LockedDelivery,
  actionIds: readonly string[] | undefined,
): Promise<readonly string[]> {
  const queued = await tx.$queryRaw<{ id: string }[]>`
    with queued as (
      insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, body_size, has_own_id, order_key)
      select uuid_v7_at(clock_timestamp()), account_id, id, hook_id, ${id}::uuid, now(), ${bodySize}::int, true,
        case when order_by is not null then ${unkeyed} end
      from actions
      where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and enabled and deleted_at is null
        and (${actionIds === undefined} or id = any (${[...(actionIds ?? [])]}::uuid[]))
      order by position, id
      returning id, target_id
    )
    select queued.id from queued join actions on actions.id = queued.target_id order by actions.position, actions.id`;
  return queued.map((run) => run.id);
}
