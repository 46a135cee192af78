import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

export type DeliveryFilter = {
  /** Only these deliveries. */
  readonly ids?: readonly string[] | undefined;
  readonly hookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** The batch delivery that contained them. */
  readonly batchId?: string | undefined;
  readonly isSample?: boolean | undefined;
  /** Only deliveries with a run in this state. */
  readonly runs?: "failed" | undefined;
  /** Text to find in the event id, type, path, reason, or start of the body. */
  readonly q?: string | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix milliseconds, exclusive. */
  readonly to?: number | undefined;
};
