import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import { Prisma } from "#lib/db/generated/client.ts";

/** The fields of a delivery that its runs need. */
export type RunDelivery = Omit<DeliveryView, "headers"> & {
  /** The headers as JSON: `[[name, value], …]`. */
  readonly headersJson: string;
};

/**
 * Columns as text and base64: the client would parse bytes, times, and JSON value by value, which
 * costs more than the query.
 */
export const deliveryColumns = Prisma.sql`
  date_part('epoch', received_at) * 1000 as received_at_ms, method, path, query, headers::text as headers,
  content_type, event_id, event_type, is_sample, encode(body, 'base64') as body`;

/** The same columns, empty, for a row without a delivery. */
export const noDelivery = Prisma.sql`
  null::float8 as received_at_ms, null::text as method, null::text as path, null::text as query, null::text as headers,
  null::text as content_type, null::text as event_id, null::text as event_type, null::boolean as is_sample, null::text as body`;

export type DeliveryRow = {
  delivery_id: string;
  received_at_ms: number;
  method: string;
  path: string;
  query: string;
  headers: string;
  content_type: string | null;
  event_id: string | null;
  event_type: string | null;
  is_sample: boolean;
  body: string;
};

export function toRunDelivery(row: DeliveryRow): RunDelivery {
  return {
    id: row.delivery_id,
    receivedAtMs: row.received_at_ms,
    method: row.method,
    path: row.path,
    query: row.query,
    headersJson: row.headers,
    contentType: row.content_type,
    eventId: row.event_id,
    eventType: row.event_type,
    isSample: row.is_sample,
    body: Buffer.from(row.body, "base64"),
  };
}
