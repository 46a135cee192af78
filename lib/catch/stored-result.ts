import type { StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { CustomResponse } from "./catch-hook.ts";
import { type CatchResult, reject, rejectUnavailable } from "./catch-result.ts";
import type { Committed } from "./group-commit.ts";

/** The response to a stored delivery. A batch is accepted if any of its events is new. */
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
  if (isRepeated)
    return { outcome: "duplicate", deliveryId, originalDeliveryId: original, response };
  return {
    outcome: "accepted",
    deliveryId,
    eventDeliveryIds: events.map(({ id }) => id),
    response,
  };
}

/** Storing failed: the provider has to retry. */
export function rejectUnstored(
  committed: Extract<Committed<StoredDelivery>, { ok: false }>,
): CatchResult {
  switch (committed.reason) {
    case "group_full": {
      const detail = "Too many deliveries for this hook are waiting to be stored. Send it again.";
      return reject("rate_limited", detail, { retryAfterSeconds: 2 });
    }
    case "full":
      return rejectUnavailable("Too many deliveries are waiting to be stored. Send it again.");
    case "timeout":
      return rejectUnavailable("The database did not answer in time. Send the delivery again.");
    case "failed":
      return rejectUnavailable("The delivery could not be stored right now. Send it again.", {
        cause: committed.error,
      });
    default:
      return committed.reason satisfies never;
  }
}
