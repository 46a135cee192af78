import { isId } from "#lib/base/ids.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";

export type RunFilter = {
  /** Only these runs. */
  readonly ids?: readonly string[] | undefined;
  readonly deliveryId?: string | undefined;
  readonly hookId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /**
   * The bulk job that queued the run. With the status of ended runs, only those that ended so for
   * this job.
   */
  readonly jobId?: string | undefined;
  /** The internal id of the event. */
  readonly eventId?: string | undefined;
  /** The recipient whose subscriptions' runs are selected. The portal always sets it. */
  readonly recipient?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** The code of the run's reason. */
  readonly reason?: string | undefined;
  /** Text to find in the reason, or in the event id or type of the delivery. */
  readonly q?: string | undefined;
  /** Creation time in Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Creation time in Unix milliseconds, exclusive. */
  readonly to?: number | undefined;
};

/** True if all ids are well-formed. A malformed id can't match anything. */
export function hasPossibleIds({
  deliveryId,
  hookId,
  actionId,
  subscriptionId,
  eventId,
  jobId,
}: RunFilter): boolean {
  return [deliveryId, hookId, actionId, subscriptionId, eventId, jobId].every(
    (id) => id === undefined || isId(id),
  );
}
