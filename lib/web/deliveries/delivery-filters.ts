import { deliveryQuerySchema } from "#lib/schema/delivery.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

const names = ["q", "status", "hookId", "eventType", "eventId", "isSample"] as const;

export type DeliveryQuery = ReturnType<typeof readDeliveryQuery>;

export function readDeliveryQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: deliveryQuerySchema, nowMs });
}
