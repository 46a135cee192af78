import { hideSealedValues } from "#lib/core/redact/sealed-value.ts";
import type { Database } from "./client.ts";
import { type DeliverySummary, type SummaryRow, summaryColumns, toSummary } from "./list-deliveries.ts";
import { notFound, requireId } from "./not-found.ts";

/** One delivery with all that arrived. */
export type DeliveryRecord = DeliverySummary & {
  readonly hookName: string;
  /** JSON text of `[[name, value], …]`, in the order and letter case of the wire. */
  readonly headersJson: string;
  readonly body: Uint8Array;
};

/** Throws `not_found` for one that is gone, of a deleted hook, or another account's. */
export async function getDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const [row] = await db.$queryRaw<(SummaryRow & { headers: string; body: Uint8Array; hook_name: string })[]>`
    with found as (
      select ${summaryColumns}, headers::text as headers, body from deliveries
      where id = ${requireId("delivery", deliveryId)}::uuid and account_id = ${accountId}::uuid
    )
    select found.*, hooks.name as hook_name from found
    join hooks on hooks.id = found.hook_id and hooks.deleted_at is null`;
  if (row === undefined) throw notFound("delivery");
  return {
    ...toSummary(row),
    hookName: row.hook_name,
    headersJson: hideSealedValues(row.headers),
    body: row.body,
  };
}
