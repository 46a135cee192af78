import type { StoredDelivery } from "#lib/db/store-deliveries.ts";
import type { CustomResponse } from "./catch-hook.ts";
import { type CatchResult, refuse, refuseUnavailable } from "./catch-result.ts";
import type { Committed } from "./group-commit.ts";

/** What the sender is told of a delivery that was stored. A batch is accepted if any of its events is new. */
export function toResult(stored: StoredDelivery, response: CustomResponse | null): CatchResult {
  const { id: deliveryId, duplicateOf, events } = stored;
  if (events !== undefined) return toBatchResult(deliveryId, events, response);
  if (duplicateOf === null) return { outcome: "accepted", deliveryId, response };
  return { outcome: "duplicate", deliveryId, originalDeliveryId: duplicateOf, response };
}

function toBatchResult(
  deliveryId: string,
  events: readonly StoredDelivery[],
  response: CustomResponse | null,
): CatchResult {
  const original = events[0]?.duplicateOf ?? null;
  const isRepeated = original !== null && events.every(({ duplicateOf }) => duplicateOf !== null);
  if (isRepeated) return { outcome: "duplicate", deliveryId, originalDeliveryId: original, response };
  return { outcome: "accepted", deliveryId, eventDeliveryIds: events.map(({ id }) => id), response };
}

/** Storage trouble: the sender has to come back. */
export function refuseUnstored(committed: Extract<Committed<StoredDelivery>, { ok: false }>): CatchResult {
  switch (committed.reason) {
    case "lane_full": {
      const detail =
        "More deliveries of this hook are waiting to be stored than may wait at once. Send it again.";
      return refuse("rate_limited", detail, { retryAfterSeconds: 2 });
    }
    case "full":
      return refuseUnavailable("Too many deliveries are waiting to be stored. Send it again.");
    case "timeout":
      return refuseUnavailable("The database did not answer in time. Send the delivery again.");
    case "failed":
      return refuseUnavailable("The delivery could not be stored just now. Send it again.", {
        cause: committed.error,
      });
    default:
      return committed.reason satisfies never;
  }
}
