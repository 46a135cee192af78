import { hideSealedValues } from "#lib/core/people/redact/sealed-value.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import {
  type DeliverySummary,
  type SummaryRow,
  summaryColumns,
  toSummary,
} from "./delivery-summary.ts";

/** One delivery with everything that was received. */
export type DeliveryRecord = DeliverySummary & {
  readonly hookName: string;
  readonly provider: string;
  /** JSON text of `[[name, value], …]`, in the order and letter case received. */
  readonly headersJson: string;
  readonly body: Uint8Array;
  /**
   * The size of what is stored of the body. It differs from that of `body` where fields are masked.
   */
  readonly storedSize: number;
};

/** Returns the id. Throws `not_found` as `getDelivery` does, without reading the delivery. */
export async function requireDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<string> {
  const id = requireId("delivery", deliveryId);
  const [found] = await db.$queryRaw<{ id: string }[]>`
    select d.id from deliveries d join hooks on hooks.id = d.hook_id and hooks.deleted_at is null
    where d.id = ${id}::uuid and d.account_id = ${accountId}::uuid`;
  if (found === undefined) throw notFound("delivery");
  return id;
}

/** Throws `not_found` if it is gone, of a deleted hook, or another account's. */
export async function getDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const [row] = await db.$queryRaw<
    (SummaryRow & {
      headers: string;
      body: Uint8Array;
      stored_size: number;
      hook_name: string;
      provider: string;
    })[]
  >`
    with found as (
      select ${summaryColumns}, headers::text as headers, body, octet_length(body) as stored_size from deliveries
      where id = ${requireId("delivery", deliveryId)}::uuid and account_id = ${accountId}::uuid
    )
    select found.*, hooks.name as hook_name, hooks.provider from found
    join hooks on hooks.id = found.hook_id and hooks.deleted_at is null`;
  if (row === undefined) throw notFound("delivery");
  return {
    ...toSummary(row),
    hookName: row.hook_name,
    provider: row.provider,
    headersJson: hideSealedValues(row.headers),
    body: row.body,
    storedSize: row.stored_size,
  };
}
