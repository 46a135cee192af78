import type { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/ids.ts";
import { type DeliveryStatus, isReplayable, type Replay } from "#lib/schema/delivery.ts";

/**
 * Queues new runs of a delivery in one statement: for the hook's enabled actions, or for the given
 * ones. Accepted deliveries and duplicates can be replayed. Rejected ones can't: they were never
 * proven to come from the provider.
 *
 * @returns the ids of the new runs, in the order of the actions
 */
export async function replayDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
  { actionIds }: Replay,
): Promise<readonly string[]> {
  const runIds = await db.$transaction(async (tx) => {
    const { hookId, bodySize } = await requireReplayable(tx, accountId, deliveryId);
    if (actionIds !== undefined) await requireActions(tx, hookId, actionIds);
    const queued = await tx.$queryRaw<{ id: string }[]>`
      with queued as (
        insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, body_size, has_own_id, order_key)
        select uuid_v7_at(clock_timestamp()), account_id, id, hook_id, ${deliveryId}::uuid, now(), ${bodySize}::int, true,
          case when order_by is not null then ${unkeyed} end
        from actions
        where hook_id = ${hookId}::uuid and account_id = ${accountId}::uuid and enabled and deleted_at is null
          and (${actionIds === undefined} or id = any (${actionIds ?? []}::uuid[]))
        order by position, id
        returning id, target_id
      )
      select queued.id from queued join actions on actions.id = queued.target_id order by actions.position, actions.id`;
    if (queued.length === 0)
      throw new AppError("conflict", "The hook has no enabled action, so there is nothing to run.");
    return queued.map(({ id }) => id);
  });
  notifyRunsDue(db);
  return runIds;
}

/** Locked, so that it is not deleted before its runs are there. */
async function requireReplayable(
  tx: Prisma.TransactionClient,
  accountId: string,
  deliveryId: string,
): Promise<{ readonly hookId: string; readonly bodySize: number }> {
  const [delivery] = await tx.$queryRaw<
    { hook_id: string; body_size: number; status: DeliveryStatus; reason: string | null }[]
  >`
    select d.hook_id, d.body_size, d.status, d.reason from deliveries d
    join hooks h on h.id = d.hook_id and h.deleted_at is null
    where d.id = ${requireId("delivery", deliveryId)}::uuid and d.account_id = ${accountId}::uuid
    for key share of d`;
  if (delivery === undefined) throw notFound("delivery");
  if (!isReplayable(delivery.status))
    throw new AppError("conflict", whyNotReplayable(delivery.status, delivery.reason));
  return { hookId: delivery.hook_id, bodySize: delivery.body_size };
}

function whyNotReplayable(status: DeliveryStatus, reason: string | null): string {
  switch (status) {
    case "pending":
      return "This delivery is not verified yet, so it can't be replayed. Add the hook's signing secret, then verify pending deliveries.";
    case "handshake":
      return "This was a handshake, not an event, so there is nothing to run.";
    case "batch":
      return "This request contained several events, stored as separate deliveries. Replay those.";
    default: {
      const why = reason === null ? "" : ` (${reason})`;
      return `This delivery was rejected${why}, so it can't be replayed. Fix the cause and have the provider send it again.`;
    }
  }
}

/** An enabled action of this hook. A run of a disabled action would only wait. */
async function requireActions(
  tx: Prisma.TransactionClient,
  hookId: string,
  actionIds: readonly string[],
): Promise<void> {
  const found = await tx.$queryRaw<{ id: string; enabled: boolean }[]>`
    select id, enabled from actions
    where id = any (${actionIds.filter(isId)}::uuid[]) and hook_id = ${hookId}::uuid and deleted_at is null`;
  const enabledById = new Map(found.map(({ id, enabled }) => [id, enabled]));
  for (const [index, id] of actionIds.entries()) {
    const enabled = enabledById.get(id);
    const path = `actionIds.${index}`;
    if (enabled === undefined)
      throw new AppError("not_found", "The delivery's hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!enabled)
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
}
