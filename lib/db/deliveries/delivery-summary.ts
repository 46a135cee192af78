import { hideSealedValues } from "#lib/core/people/redact/sealed-value.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

/** A delivery in a list: without headers and body. */
export type DeliverySummary = {
  readonly id: string;
  readonly hookId: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  /** The reason as text. */
  readonly detail: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | null;
  /** The size of the body in bytes. */
  readonly bodySize: number;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly duplicateOf: string | null;
  /**
   * True if a duplicate says something else than the delivery that it repeats. Null: not a duplicate,
   * the other is gone, or both are too large to be compared.
   */
  readonly duplicateDiffers: boolean | null;
  /** The batch delivery that contained this event. */
  readonly batchId: string | null;
  readonly verificationOutcome: string;
  readonly verificationScheme: string | null;
  readonly sourceIp: string;
  /**
   * The time from the first byte until the delivery was stored and the provider got its response.
   * Null: not recorded.
   */
  readonly responseMs: number | null;
  /** True if Catchment created it. */
  readonly isSample: boolean;
};

/** Larger bodies of the same size are not compared: a list would read megabytes for each row. */
const maxComparedBytes = 262_144;

/**
 * Whether a duplicate differs, compared when it is read. Catch adds nothing to its statement for it. Bytes that an API
 * listed are never those of a webhook, so neither is compared with the other.
 * The names of the first delivery's columns hide none of the duplicate's.
 */
export const differsFromFirst = Prisma.sql`
  case when duplicate_of is not null and verification_scheme is distinct from 'fetched' then (
    select case
        when first_scheme = 'fetched' then null
        when first_size <> body_size or first_method <> method or first_path <> path or first_query <> query
          or first_type is distinct from event_type then true
        when body_size <= ${Prisma.raw(String(maxComparedBytes))} then first_body <> body
      end
    from (
      select id as first_id, body_size as first_size, method as first_method, path as first_path, query as first_query,
        event_type as first_type, body as first_body, verification_scheme as first_scheme
      from deliveries
    ) as first_delivery
    where first_id = duplicate_of limit 1
  ) end`;

export const summaryColumns = Prisma.sql`
  id, hook_id, status, reason, detail, received_at, method, path, query, content_type, body_size, event_id, event_type, duplicate_of, batch_id,
  verification_outcome, verification_scheme, source_ip, is_sample, response_ms, ${differsFromFirst} as duplicate_differs`;

export type SummaryRow = {
  id: string;
  hook_id: string;
  status: DeliveryStatus;
  reason: string | null;
  detail: string | null;
  received_at: Date;
  method: string;
  path: string;
  query: string;
  content_type: string | null;
  body_size: number;
  event_id: string | null;
  event_type: string | null;
  duplicate_of: string | null;
  duplicate_differs: boolean | null;
  batch_id: string | null;
  verification_outcome: string;
  verification_scheme: string | null;
  source_ip: string;
  is_sample: boolean;
  response_ms: number | null;
};

export function toSummary(row: SummaryRow): DeliverySummary {
  return {
    id: row.id,
    hookId: row.hook_id,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    receivedAt: row.received_at,
    method: row.method,
    path: hideSealedValues(row.path),
    query: hideSealedValues(row.query),
    contentType: row.content_type,
    bodySize: row.body_size,
    eventId: row.event_id,
    eventType: row.event_type,
    duplicateOf: row.duplicate_of,
    duplicateDiffers: row.duplicate_differs,
    batchId: row.batch_id,
    verificationOutcome: row.verification_outcome,
    verificationScheme: row.verification_scheme,
    sourceIp: row.source_ip,
    isSample: row.is_sample,
    responseMs: row.response_ms,
  };
}
