/** Apart from the schemas, so that pages that show a status need none of them. */

/**
 * `pending`: stored unverified, because its hook had no secret yet. `handshake`: the provider
 * checked the URL. `batch`: it contained several events, each of which is its own delivery.
 */
export const deliveryStatuses = [
  "accepted",
  "duplicate",
  "rejected",
  "pending",
  "handshake",
  "batch",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * True if actions may run on the delivery: it is an event, and it is verified if its hook verifies.
 */
export function isReplayable(status: DeliveryStatus): boolean {
  return status === "accepted" || status === "duplicate";
}

/** The scheme of a delivery that was fetched from its provider's API with a credential. */
export const fetchedScheme = "fetched";
