import { hideSealedValues } from "#lib/core/redact/sealed-value.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";

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

export const summaryColumns = Prisma.sql`
  id, hook_id, status, reason, detail, received_at, method, path, query, content_type, body_size, event_id, event_type, duplicate_of, batch_id,
  verification_outcome, verification_scheme, source_ip, is_sample, response_ms`;

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
    batchId: row.batch_id,
    verificationOutcome: row.verification_outcome,
    verificationScheme: row.verification_scheme,
    sourceIp: row.source_ip,
    isSample: row.is_sample,
    responseMs: row.response_ms,
  };
}
