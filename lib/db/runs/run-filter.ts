import { isId } from "#lib/ids.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";

export type RunFilter = {
  readonly deliveryId?: string | undefined;
  readonly hookId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** The internal id. */
  readonly eventId?: string | undefined;
  /** Only runs of this recipient's subscriptions. The portal always gives it. */
  readonly recipient?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** The code of the reason. */
  readonly reason?: string | undefined;
  /** Text to find in the reason, or in the event id or type of the delivery. */
  readonly q?: string | undefined;
  /** Creation time in Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
};

/** A malformed id can't match anything. */
export function hasPossibleIds({
  deliveryId,
  hookId,
  actionId,
  subscriptionId,
  eventId,
}: RunFilter): boolean {
  return [deliveryId, hookId, actionId, subscriptionId, eventId].every(
    (id) => id === undefined || isId(id),
  );
}
