import type { Database } from "#lib/db/postgres/client.ts";
import { unkeyed } from "#lib/db/queue/control/claim-order.ts";
import type { RunWait } from "#lib/schema/act/run.ts";

type WaitRow = {
  readonly downSince: Date | null;
  readonly nextTryAt: Date | null;
  readonly headId: string | null;
  readonly headDeliveryId: string | null;
  readonly headAt: Date | null;
  readonly heldSince: Date | null;
  readonly heldReason: string | null;
};

/**
 * Finds what a run waits for. Null: nothing, or it isn't in the queue. The caller knows that the
 * run is in the account.
 */
export async function findRunWait(
  db: Pick<Database, "$queryRaw">,
  accountId: string,
  runId: string,
): Promise<RunWait | null> {
  const [row] = await db.$queryRaw<WaitRow[]>`
    select b.down_since as "downSince", b.next_try_at as "nextTryAt", head.id as "headId", head.delivery_id as "headDeliveryId",
      to_timestamp(uuid_v7_ms(head.id) / 1000.0) as "headAt", a.held_since as "heldSince", a.held_reason as "heldReason"
    from queue r join actions a on a.id = r.target_id
    left join lateral (
      select down_since, next_try_at from target_breakers
      where target_id = any (array_append(a.destination_ids, r.target_id)) and down_since is not null and ramp is null
      order by next_try_at desc limit 1
    ) b on true
    left join lateral (
      select id, delivery_id from queue h
      where a.order_by is not null and r.order_key > ${unkeyed} and h.account_id = r.account_id and h.target_id = r.target_id
        and h.order_key = r.order_key and h.id < r.id
        and (a.order_skip_seconds is null or h.reason_code is null
          or coalesce(h.retried_at, to_timestamp(uuid_v7_ms(h.id) / 1000.0)) > now() - make_interval(secs => a.order_skip_seconds))
      order by h.account_id, h.target_id, h.order_key, h.id limit 1
    ) head on true
    where r.id = ${runId}::uuid and r.account_id = ${accountId}::uuid and r.lease_id is null and r.hook_id is not null`;
  if (row === undefined) return null;
  const { downSince, nextTryAt, headId, headDeliveryId, headAt, heldSince, heldReason } = row;
  if (heldSince !== null) return { kind: "action", heldSince, reason: heldReason ?? "" };
  if (headId !== null && headDeliveryId !== null && headAt !== null)
    return { kind: "order", runId: headId, deliveryId: headDeliveryId, createdAt: headAt };
  return downSince === null || nextTryAt === null
    ? null
    : { kind: "receiver", downSince, nextTryAt };
}
