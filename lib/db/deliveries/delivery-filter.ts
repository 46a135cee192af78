import type { DeliveryStatus } from "#lib/schema/delivery.ts";

export type DeliveryFilter = {
  readonly hookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** The batch delivery that contained them. */
  readonly batchId?: string | undefined;
  readonly isSample?: boolean | undefined;
  /** Text to find in the event id, type, path, reason, or start of the body. */
  readonly q?: string | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix milliseconds, exclusive. */
  readonly to?: number | undefined;
};
