import type { NewDelivery, StoredDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { CatchHook, CustomResponse } from "#lib/evaluate/catch-hook.ts";
import type { Committed } from "#lib/ingress/group-commit.ts";
import { reject, rejectUnavailable } from "#lib/ingress/rejection.ts";
import type { CatchResult } from "./catch-result.ts";

/**
 * The response to a stored delivery. A batch is accepted if any of its events is new. It has as many
 * runs as events, so none of them replies. Only accepted deliveries have runs.
 */
export function toResult(
  stored: StoredDelivery,
  hook: Pick<CatchHook, "accountId" | "response" | "replyWaitMs" | "replyingListenerId">,
  { status, isSample }: Pick<NewDelivery, "status" | "isSample">,
): CatchResult {
  const { id: deliveryId, duplicateOf, events, isSpooled = false } = stored;
  const { response, replyWaitMs, accountId, replyingListenerId: listenerId } = hook;
  if (events !== undefined) return toBatchResult(deliveryId, events, response);
  const result: CatchResult =
    duplicateOf === null
      ? { outcome: "accepted", deliveryId, response }
      : { outcome: "duplicate", deliveryId, originalDeliveryId: duplicateOf, response };
  if (replyWaitMs === null || status !== "accepted") return result;
  const of = { accountId, listenerId };
  // Its action runs when the database is back. The provider gets 202, as without a reply in time.
  if (isSpooled) return { ...result, replying: { ...of, waitMs: 0, reply: null } };
  const waitMs = isSample ? Math.min(replyWaitMs, maxSampleWaitMs) : replyWaitMs;
  return { ...result, replying: { ...of, waitMs } };
}

/** The time for our own test delivery, which has 15 s for everything. */
const maxSampleWaitMs = 10_000;

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
